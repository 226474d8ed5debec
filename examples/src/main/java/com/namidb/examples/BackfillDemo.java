package com.namidb.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.when;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.PublishPreview;
import com.namidb.format.error.ValidationFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A backfill of 120,000 people and 400,000 relationships, some of them bad: quarantine, one atomic
 * commit, a receipt, the same job once more, and a publish that fails.
 */
public final class BackfillDemo {
  private static final String STAGE = "load-2026-11";
  private static final String NEXT = "load-2026-12";

  private final Backfill load;
  private final ProgressBar progress;
  private final Screen screen = new Screen(System.out);

  private BackfillDemo(SparkSession spark, Path work, GraphRoot graphs, boolean terminal) {
    load = new Backfill(spark, work, graphs, STAGE);
    progress = new ProgressBar(System.out, terminal);
    spark.sparkContext().addSparkListener(progress);
  }

  /**
   * Runs the example.
   *
   * @param args a URI such as {@code s3://bucket/prefix} makes the graph there and not on disk;
   *     {@code --keep} leaves it on disk, {@code --terminal} draws progress; others mean nothing
   */
  public static void main(String[] args) throws IOException {
    List<String> given = List.of(args);
    Optional<String> uri = given.stream().filter(a -> a.contains("://")).findFirst();
    boolean keep = given.contains("--keep");
    Path work = keep ? ScratchCopy.kept() : ScratchCopy.folder();
    SparkSession spark =
        SparkSession.builder()
            .appName("namidb backfill")
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    try {
      GraphRoot graphs = uri.map(GraphRoot::new).orElse(GraphRoot.of(work.resolve("graphs")));
      BackfillDemo demo = new BackfillDemo(spark, work, graphs, given.contains("--terminal"));
      if (demo.load.isDone()) {
        demo.again();
      } else {
        demo.run(work);
        demo.fail();
      }
      demo.where(keep, uri.isPresent());
    } finally {
      spark.stop();
    }
  }

  private void run(Path work) throws IOException {
    screen.title("A backfill: two CSV files become a graph");
    BackfillData.write(work);
    screen.say("people.csv   %,d rows".formatted(BackfillData.PEOPLE));
    screen.say("follows.csv  %,d rows".formatted(BackfillData.FOLLOWS));
    screen.say("Some rows are bad, as in every export.");

    screen.title("Stage nodes, then edges: nothing is visible yet");
    screen.code(".option(\"key\", \"email\").option(\"on-invalid\", \"quarantine\")");
    screen.code(".option(\"stage\", \"" + STAGE + "\")");
    screen.say("");
    step("people", load::stagePeople);
    step("who follows whom", load::stageFollows);

    screen.title("What was set aside, and why");
    why("people.csv", load.quarantined("Person"));
    why("follows.csv", load.quarantined("FOLLOWS"));
    long held = load.heldBack().count();
    screen.say("%,d follows are held back: one of their ends is not in the graph.".formatted(held));

    screen.title("Look before publishing");
    PublishPreview preview = load.dryRun();
    preview.checks().forEach(c -> screen.row(c.outcome().toString(), c.name()));

    screen.title("Publish: one commit, all or nothing");
    progress.begin("publish", "publishing");
    CommitReceipt receipt = load.publish();
    progress.end("version " + receipt.version());
    receipt(receipt, held);
    Dataset<Row> popular =
        load.edges()
            .groupBy("_dst")
            .agg(count("*").as("followers"))
            .join(load.people(), col("_dst").equalTo(col("_id")))
            .select("name", "city", "followers")
            .orderBy(col("followers").desc(), col("name"))
            .limit(3);
    screen.table(popular);

    again();
  }

  private void again() {
    screen.title("The same job again");
    screen.say(
        load.isDone()
            ? "It is done: publishing again only returns the receipt of version "
                + load.publish().version()
                + "."
            : "It is not done yet.");
    screen.say("");
  }

  private void step(String name, Runnable work) {
    progress.begin(name, "staging");
    work.run();
    progress.end("staged");
  }

  private void why(String file, Dataset<Row> rows) {
    screen.say(file);
    screen.table(
        rows.groupBy("_reason").count().orderBy(col("count").desc(), col("_reason")).limit(4));
  }

  private void fail() {
    screen.title("A publish that fails changes nothing");
    screen.say("A newcomer follows p0, and somebody who is not in the graph.");
    load.stageNewcomer(NEXT, "new@example.org", List.of("p0@example.org", "gone@example.org"));
    try {
      load.publish(NEXT);
      throw new IllegalStateException("an edge to nowhere was published");
    } catch (ValidationFailedException e) {
      screen.quote(e.getMessage());
    }
    screen.say("%s. Discard, stage again without that edge, publish:".formatted(newcomer()));
    load.discard(NEXT);
    load.stageNewcomer(NEXT, "new@example.org", List.of("p0@example.org"));
    progress.begin("publish", "publishing");
    progress.end("version " + load.publish(NEXT).version());
    screen.say(newcomer() + ".");
  }

  private String newcomer() {
    Row seen =
        load.people()
            .agg(max("_snapshot_id"), count(when(col("email").equalTo("new@example.org"), 1)))
            .head();
    return "Version %d is visible, %s the newcomer"
        .formatted(seen.getLong(0), seen.getLong(1) == 0 ? "without" : "with");
  }

  private void where(boolean keep, boolean elsewhere) {
    screen.title("Where it is");
    screen.row("graph", load.graph());
    screen.row("receipt", load.folder() + "/receipt.json");
    screen.row("quarantine", load.folder() + "/quarantine");
    if (elsewhere) {
      screen.say("It stays there. Run this again: the load is done. DROP NAMESPACE removes it.");
    } else if (keep) {
      Path work = Path.of(load.graph()).getParent().getParent();
      screen.say("Kept: remove the folder " + work + " when you like.");
    } else {
      screen.say("Removed when this ends; bin/demo backfill --keep leaves it there.");
    }
    screen.say("");
  }

  private void receipt(CommitReceipt r, long held) {
    screen.say("");
    screen.row("version", r.base() + " -> " + r.version());
    screen.row("input rows", "%,d".formatted(BackfillData.PEOPLE + BackfillData.FOLLOWS));
    screen.row("held back", "%,d".formatted(held), "never given to the connector");
    screen.row("rows read", "%,d".formatted(r.balance().source()), "input rows - held back");
    screen.row("accepted", "%,d".formatted(r.balance().accepted()));
    screen.row("quarantined", "%,d".formatted(r.balance().quarantined()));
    screen.row("nodes", "%,d".formatted(r.nodes().count()), "keys " + r.nodes().text());
    screen.row("edges", "%,d".formatted(r.edges().count()), "keys " + r.edges().text());
    screen.row("files", r.files().size() + ", %,d bytes".formatted(r.bytes()));
  }
}
