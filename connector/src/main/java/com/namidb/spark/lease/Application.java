package com.namidb.spark.lease;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;

/**
 * Leases of one Spark application. Spark plans the partitions of a query once, however often it
 * runs; so what a query reads is remembered with it, and its next execution gets leases of its own.
 */
final class Application {
  private final SparkContext context;
  private final HeldLeases leases;
  private final Executions executions;
  private final Map<QueryExecution, Map<Snapshot, OpenNamespace>> reads = new WeakHashMap<>();

  private Application(SparkContext context) {
    this.context = context;
    ScheduledThreadPoolExecutor schedule =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread t = new Thread(task, "namidb-leases");
              t.setDaemon(true);
              return t;
            });
    schedule.setRemoveOnCancelPolicy(true);
    this.leases = new HeldLeases(schedule, (execution, why) -> cancel(execution, why));
    this.executions = new Executions(context, this::started, leases::ended, leases::close);
  }

  /** Follows an application from now on. */
  static Application of(SparkContext context) {
    Application out = new Application(context);
    context.addSparkListener(out.executions);
    return out;
  }

  boolean isOf(SparkContext other) {
    return context == other;
  }

  void hold(Snapshot snapshot, OpenNamespace opened, Object user) {
    String id = context.getLocalProperty(Executions.ID);
    Long execution = id == null ? null : Long.valueOf(id);
    leases.hold(execution, snapshot, user, () -> acquire(snapshot, opened));
    QueryExecution query = execution == null ? null : SQLExecution.getQueryExecution(execution);
    if (query != null) {
      synchronized (reads) {
        reads.computeIfAbsent(query, q -> new HashMap<>()).put(snapshot, opened);
      }
    }
  }

  private void started(long execution) {
    QueryExecution query = SQLExecution.getQueryExecution(execution);
    if (query == null) {
      return;
    }
    Map<Snapshot, OpenNamespace> again;
    synchronized (reads) {
      again = new HashMap<>(reads.getOrDefault(query, Map.of()));
    }
    again.forEach((s, opened) -> leases.holdSoon(execution, s, () -> acquire(s, opened)));
  }

  private Lease acquire(Snapshot snapshot, OpenNamespace opened) {
    return VersionLease.acquire(snapshot, opened, context.applicationId());
  }

  private void cancel(long execution, String why) {
    executions.cancel(execution, why);
  }
}
