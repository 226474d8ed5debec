package com.namidb.spark.read;

import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.Reading;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * The changes of a table between two versions, as scans see them; equal if the rows and their form
 * are.
 *
 * @param name for plans, such as {@code social nodes.Person 41..42}
 * @param from the earlier version
 * @param to the later version
 * @param targets what is compared: one for nodes or an edge type, one per type for all edges
 * @param edges whether the rows are edges
 * @param schema all columns that are not hidden
 * @param reading how to read
 */
public record ChangesSource(
    String name,
    Snapshot from,
    Snapshot to,
    List<ScanRequest.Target> targets,
    boolean edges,
    StructType schema,
    Reading reading) {}
