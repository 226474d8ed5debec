package com.namidb.spark.job;

import com.namidb.format.stage.JobPhase;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A stage, or a write with a job id, as it is now.
 *
 * @param name name of the stage, or job id
 * @param isStage whether several writes share it
 * @param phase how far it is
 * @param version snapshot id it was published as, unsigned; empty until then
 * @param base snapshot id its first write was planned on, unsigned; empty if none was
 * @param writes writes that were staged completely
 * @param nodes node rows staged, deletions included
 * @param edges edge rows staged, deletions included
 * @param files SST files; two per file of edges
 * @param bytes bytes of the files
 * @param updated when it last changed, by the clock of the driver that changed it
 */
public record StagedSummary(
    String name,
    boolean isStage,
    JobPhase phase,
    OptionalLong version,
    OptionalLong base,
    int writes,
    long nodes,
    long edges,
    int files,
    long bytes,
    Instant updated) {}
