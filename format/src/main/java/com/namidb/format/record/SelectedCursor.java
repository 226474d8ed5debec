package com.namidb.format.record;

/** A cursor whose batches come with the records that survive the merge. Batches may have none. */
public interface SelectedCursor extends RecordCursor {
  /** The surviving records of the current batch; valid as long as the batch. */
  Selection selection();
}
