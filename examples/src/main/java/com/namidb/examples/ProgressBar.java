package com.namidb.examples;

import java.io.PrintStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Draws how far a step is: on a terminal in one line that is drawn over, else once at its end. */
final class ProgressBar extends SparkListener {
  private static final int WIDTH = 30;

  private final PrintStream out;
  private final boolean terminal;
  private String what = "";
  private String doing = "";
  private int tasks;
  private int drawn;
  private int done;
  private long rows;

  ProgressBar(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Begins a step.
   *
   * @param verb what it says as long as no row is read
   */
  synchronized void begin(String name, String verb) {
    what = name;
    doing = verb;
    tasks = 0;
    done = 0;
    rows = 0;
    drawn = -1;
    draw();
  }

  /** Ends the step with a line that stays. */
  synchronized void end(String result) {
    String line = "  %-18s %s %s".formatted(what, bar(WIDTH), result);
    out.println(terminal ? "\r" + line + " ".repeat(20) : line);
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
    if (terminal && !what.isEmpty() && full != drawn) {
      drawn = full;
      String text = rows == 0 ? doing : "%s, %,d rows read".formatted(doing, rows);
      out.printf("\r  %-18s %s %s", what, bar(full), text);
      out.flush();
    }
  }

  private static String bar(int full) {
    return "█".repeat(full) + "░".repeat(WIDTH - full);
  }
}
