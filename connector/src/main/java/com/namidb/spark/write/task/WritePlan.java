package com.namidb.spark.write.task;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.stage.JobPlan;
import com.namidb.format.store.StoreConfig;
import com.namidb.spark.write.quarantine.QuarantineSpec;
import com.namidb.spark.write.row.RowShape;
import java.io.Serializable;

/**
 * Everything a task needs.
 *
 * @param store how to open the store
 * @param paths the namespace
 * @param job job id
 * @param plan LSN and label ids
 * @param shape what the columns mean
 * @param schema the declared schema of the base
 * @param fileBytes bytes of properties per file
 * @param base records a patch starts from; {@code null} for other writes
 * @param quarantine what happens to rows that are set aside
 */
public record WritePlan(
    StoreConfig store,
    NamespacePaths paths,
    String job,
    JobPlan plan,
    RowShape shape,
    GraphSchema schema,
    long fileBytes,
    PatchBase base,
    QuarantineSpec quarantine)
    implements Serializable {}
