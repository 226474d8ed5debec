package com.namidb.spark.write.task;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** What the tasks of a write told the driver. */
public final class TaskMessages {
  private TaskMessages() {}

  /** What all tasks told; each must have. */
  public static <M extends WriterCommitMessage, T> List<T> complete(
      WriterCommitMessage[] messages, Class<M> type, Function<M, T> content) {
    if (Arrays.stream(messages).anyMatch(Objects::isNull)) {
      throw new IllegalStateException("a task's report is missing: its rows would be lost");
    }
    return arrived(messages, type, content);
  }

  /** What those tasks told that finished. */
  public static <M extends WriterCommitMessage, T> List<T> arrived(
      WriterCommitMessage[] messages, Class<M> type, Function<M, T> content) {
    return Arrays.stream(messages).filter(Objects::nonNull).map(type::cast).map(content).toList();
  }
}
