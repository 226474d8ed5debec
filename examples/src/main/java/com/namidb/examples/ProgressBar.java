package com.namidb.examples;

import java.io.PrintStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Draws how far the running stage is, in one line that is drawn over. */
final class ProgressBar extends SparkListener {
  private static final int WIDTH = 30;

  private final PrintStream out;
  private String what = "";
  private int tasks;
  private int drawn;
  private int done;
  private long rows;

  ProgressBar(PrintStream out) {
    this.out = out;
  }

  /** Begins a step. */
  synchronized void begin(String name) {
    what = name;
    tasks = 0;
    done = 0;
    rows = 0;
    drawn = -1;
    draw();
  }

  /** Ends the step with a line that stays. */
  synchronized void end(String result) {
    out.printf("\r  %-18s %s %s%n", what, bar(WIDTH), result + " ".repeat(20));
    what = "";
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
    tasks += stage.stageInfo().numTasks();
    draw();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
    done++;
    if (task.taskMetrics() != null) {
      rows += task.taskMetrics().inputMetrics().recordsRead();
    }
    draw();
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted stage) {
    draw();
  }

  private void draw() {
    int full = tasks == 0 ? 0 : Math.min(WIDTH, WIDTH * done / tasks);
    if (!what.isEmpty() && full != drawn) {
      drawn = full;
      out.printf("\r  %-18s %s %,d rows read", what, bar(full), rows);
      out.flush();
    }
  }

  private static String bar(int full) {
    return "█".repeat(full) + "░".repeat(WIDTH - full);
  }
}
