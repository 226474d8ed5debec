package com.namidb.spark.write.delta;

import com.namidb.spark.types.OnMismatch;
import com.namidb.spark.write.task.WritePlan;
import java.io.Serializable;
import org.apache.spark.sql.types.StructType;

/**
 * What a task needs to write the changes of a statement. The plans share one job.
 *
 * @param deletes of rows named by their ids
 * @param updates of whole rows; {@code null} if the statement only deletes
 * @param inserts of whole rows; {@code null} if the statement only deletes
 * @param rows columns of whole rows
 * @param onMismatch how values were read that do not fit their column
 * @param json position of the stored object among the metadata columns, −1 without
 */
record DeltaPlan(
    WritePlan deletes,
    WritePlan updates,
    WritePlan inserts,
    StructType rows,
    OnMismatch onMismatch,
    int json)
    implements Serializable {}
