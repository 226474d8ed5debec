package com.namidb.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.PublishPreview;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A backfill of 120,000 people and 400,000 relationships, some of them bad: quarantine, one atomic
 * commit, a receipt, and the same job once more.
 */
public final class BackfillDemo {
  private static final String STAGE = "load-2026-11";

  private final Backfill load;
  private final ProgressBar progress;
  private final Screen screen = new Screen(System.out);

  private BackfillDemo(SparkSession spark, Path work) {
    load = new Backfill(spark, work, work.resolve("graphs"), STAGE);
    progress = new ProgressBar(System.out);
    spark.sparkContext().addSparkListener(progress);
  }

  /**
   * Runs the example.
   *
   * @param args none are needed
   */
  public static void main(String[] args) throws IOException {
    Path work = ScratchCopy.folder();
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
      new BackfillDemo(spark, work).run(work);
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
    screen.say(
        "%,d follows are held back: one of their ends is not in the graph."
            .formatted(load.heldBack().count()));

    screen.title("Look before publishing");
    PublishPreview preview = load.dryRun();
    preview.checks().forEach(c -> screen.row(c.outcome().toString(), c.name()));

    screen.title("Publish: one commit, all or nothing");
    progress.begin("publish");
    CommitReceipt receipt = load.publish();
    progress.end("version " + receipt.version());
    receipt(receipt);
    Dataset<Row> popular =
        load.edges()
            .groupBy("_dst")
            .agg(count("*").as("followers"))
            .join(load.people(), col("_dst").equalTo(col("_id")))
            .select("name", "city", "followers")
            .orderBy(col("followers").desc(), col("name"))
            .limit(3);
    screen.table(popular);

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
    progress.begin(name);
    work.run();
    progress.end("staged");
  }

  private void why(String file, Dataset<Row> rows) {
    screen.say(file);
    screen.table(
        rows.groupBy("_reason").count().orderBy(col("count").desc(), col("_reason")).limit(4));
  }

  private void receipt(CommitReceipt r) {
    screen.say("");
    screen.row("receipt", "bulk/" + STAGE + "/receipt.json");
    screen.row("version", r.base() + " -> " + r.version());
    screen.row("rows read", "%,d".formatted(r.balance().source()));
    screen.row("accepted", "%,d".formatted(r.balance().accepted()));
    screen.row("quarantined", "%,d".formatted(r.balance().quarantined()));
    screen.row("nodes", "%,d".formatted(r.nodes().count()), "keys " + r.nodes().text());
    screen.row("edges", "%,d".formatted(r.edges().count()), "keys " + r.edges().text());
    screen.row("files", r.files().size() + ", %,d bytes".formatted(r.bytes()));
  }
}
