package com.namidb.spark.lease;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * Follows Spark's events: which jobs run, for which execution, and what their stages read.
 *
 * <p>Spark's scheduler submits one stage at a time: it posts the stage's event and then serialises
 * what the stage runs, which posts {@link ReadStarts}. So a read belongs to the stage submitted
 * last.
 */
final class RunningJobs extends SparkListener {
  /** Local property that names the execution a thread works for. */
  static final String EXECUTION = "spark.sql.execution.id";

  /** Local property that names what a thread does under a lease of its own. */
  static final String OWN = "spark.namidb.leased";

  private final JobCanceller canceller;
  private final Follower follower;
  private final Map<Integer, Job> jobs = new HashMap<>();
  private final Map<Integer, Map<LeasedRead, Boolean>> readsOfStage = new HashMap<>();
  private final Map<Object, String> cancelled = new HashMap<>();
  private int lastStage = -1;

  /** Cancels a job. */
  @FunctionalInterface
  interface JobCanceller {
    /** Cancels a job; does nothing if it has ended. */
    void cancel(int job, String reason);
  }

  /** Is told what happens, by Spark's event thread. */
  interface Follower {
    /**
     * A running job reads a version.
     *
     * @param needed whether some of it is in no cache
     */
    void reads(Job job, LeasedRead read, boolean needed);

    /** Whether a job runs outside of any execution that is still there. */
    boolean isOutside(Job job);

    /** An SQL execution ended. */
    void executionEnded(long execution);

    /** The application ends. */
    void closed();
  }

  /**
   * A running job.
   *
   * @param id its number
   * @param execution the SQL execution it works for, {@code null} if there is none
   * @param own what it is part of under a lease of its own, {@code null} for jobs of users
   * @param stages its stages
   * @param reads what they read so far
   */
  record Job(int id, Long execution, String own, Set<Integer> stages, Set<LeasedRead> reads) {}

  RunningJobs(JobCanceller canceller, Follower follower) {
    this.canceller = canceller;
    this.follower = follower;
  }

  /**
   * Cancels the running jobs of an owner and those it still starts.
   *
   * @param owner an execution's number, or a value of {@link #OWN}
   */
  void cancel(Object owner, String reason) {
    List<Integer> ids = new ArrayList<>();
    synchronized (this) {
      cancelled.put(owner, reason);
      jobs.values().stream()
          .filter(j -> owner.equals(j.execution()) || owner.equals(j.own()))
          .forEach(j -> ids.add(j.id()));
    }
    ids.forEach(j -> canceller.cancel(j, reason));
  }

  /** An owner starts no more jobs. */
  synchronized void finished(Object owner) {
    cancelled.remove(owner);
  }

  /** Cancels the running jobs that read this outside of any execution. */
  void cancelReading(LeasedRead read, String reason) {
    List<Job> reading = new ArrayList<>();
    synchronized (this) {
      jobs.values().stream().filter(j -> j.reads().contains(read)).forEach(reading::add);
    }
    reading.stream().filter(follower::isOutside).forEach(j -> canceller.cancel(j.id(), reason));
  }

  private static String property(SparkListenerJobStart start, String name) {
    return start.properties() == null ? null : start.properties().getProperty(name);
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    String execution = property(start, EXECUTION);
    Set<Integer> stages = new HashSet<>();
    start.stageInfos().foreach(s -> stages.add(s.stageId()));
    Job job =
        new Job(
            start.jobId(),
            execution == null ? null : Long.valueOf(execution),
            property(start, OWN),
            stages,
            new HashSet<>());
    String reason;
    // A stage that runs already for another job is not submitted again.
    Map<LeasedRead, Boolean> joined = new HashMap<>();
    synchronized (this) {
      jobs.put(job.id(), job);
      stages.forEach(s -> joined.putAll(readsOfStage.getOrDefault(s, Map.of())));
      job.reads().addAll(joined.keySet());
      reason = cancelled.getOrDefault(job.execution(), cancelled.get(job.own()));
    }
    if (reason != null) {
      canceller.cancel(job.id(), reason);
    }
    joined.forEach((read, needed) -> follower.reads(job, read, needed));
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    lastStage = submitted.stageInfo().stageId();
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted completed) {
    readsOfStage.remove(completed.stageInfo().stageId());
  }

  private void started(LeasedRead read, boolean needed) {
    List<Job> of = new ArrayList<>();
    synchronized (this) {
      jobs.values().stream().filter(j -> j.stages().contains(lastStage)).forEach(of::add);
      if (!of.isEmpty()) {
        readsOfStage
            .computeIfAbsent(lastStage, s -> new HashMap<>())
            .merge(read, needed, Boolean::logicalOr);
        of.forEach(j -> j.reads().add(read));
      }
    }
    of.forEach(j -> follower.reads(j, read, needed));
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd end) {
    jobs.remove(end.jobId());
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof ReadStarts starts) {
      started(starts.read(), starts.needed());
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      finished(end.executionId());
      follower.executionEnded(end.executionId());
    }
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd end) {
    follower.closed();
  }
}
