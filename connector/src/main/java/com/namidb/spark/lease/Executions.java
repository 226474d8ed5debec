package com.namidb.spark.lease;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/** Follows SQL executions and their jobs: tells when one starts and ends, and cancels one. */
final class Executions extends SparkListener {
  /** Local property that names the execution a thread works for. */
  static final String ID = "spark.sql.execution.id";

  private final SparkContext context;
  private final LongConsumer started;
  private final LongConsumer ended;
  private final Runnable closed;
  private final Map<Long, Set<Integer>> jobs = new HashMap<>();
  private final Map<Integer, Long> executionOf = new HashMap<>();
  private final Map<Long, String> cancelled = new HashMap<>();

  /**
   * Starts with nothing known.
   *
   * @param started told the id of each execution that starts
   * @param ended told the id of each execution that ends
   * @param closed told when the application ends
   */
  Executions(SparkContext context, LongConsumer started, LongConsumer ended, Runnable closed) {
    this.context = context;
    this.started = started;
    this.ended = ended;
    this.closed = closed;
  }

  /** Cancels the running jobs of an execution and those it still starts. */
  void cancel(long execution, String reason) {
    Set<Integer> running;
    synchronized (this) {
      cancelled.put(execution, reason);
      running = Set.copyOf(jobs.getOrDefault(execution, Set.of()));
    }
    running.forEach(j -> context.cancelJob(j, reason));
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    String id = start.properties() == null ? null : start.properties().getProperty(ID);
    if (id == null) {
      return;
    }
    long execution = Long.parseLong(id);
    String reason;
    synchronized (this) {
      jobs.computeIfAbsent(execution, e -> new HashSet<>()).add(start.jobId());
      executionOf.put(start.jobId(), execution);
      reason = cancelled.get(execution);
    }
    if (reason != null) {
      context.cancelJob(start.jobId(), reason);
    }
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd end) {
    Long execution = executionOf.remove(end.jobId());
    Set<Integer> running = execution == null ? null : jobs.get(execution);
    if (running != null) {
      running.remove(end.jobId());
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart start) {
      started.accept(start.executionId());
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      synchronized (this) {
        jobs.remove(end.executionId());
        cancelled.remove(end.executionId());
      }
      ended.accept(end.executionId());
    }
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd end) {
    closed.run();
  }
}
