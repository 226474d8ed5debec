package com.namidb.spark.write.check;

import com.namidb.format.store.ObjectStore;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/** Closes a store when the task that opened it ends, however it ends. */
final class TaskEnd implements TaskCompletionListener {
  private final ObjectStore store;

  TaskEnd(ObjectStore store) {
    this.store = store;
  }

  @Override
  public void onTaskCompletion(TaskContext context) {
    store.close();
  }
}
