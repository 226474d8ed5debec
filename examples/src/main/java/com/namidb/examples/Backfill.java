package com.namidb.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.commit.PublishPreview;
import com.namidb.format.commit.Verdict;
import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.spark.job.Jobs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Loads people and who follows whom from files into a graph: nodes and edges are staged, bad rows
 * set aside, and everything is published in one commit. Running it again changes nothing.
 */
final class Backfill {
  private static final String NAMESPACE = "social";

  private static final Column HELD_BACK =
      col("follower")
          .isNotNull()
          .and(col("followed").isNotNull())
          .and(col("has_follower").isNull().or(col("has_followed").isNull()));

  private final SparkSession spark;
  private final Path input;
  private final GraphRoot graphs;
  private final String stage;
  private final String uri;
  private final Jobs jobs;

  /**
   * Prepares it.
   *
   * @param input holds {@code people.csv} and {@code follows.csv}
   * @param graphs where the namespace is, or is made
   * @param stage names the load; the same name again is the same load
   */
  Backfill(SparkSession spark, Path input, GraphRoot graphs, String stage) {
    this.spark = spark;
    this.input = input;
    this.graphs = graphs;
    this.stage = stage;
    uri = graphs.graph(NAMESPACE);
    jobs = Jobs.at(Map.of("uri", uri));
  }

  /** Whether this load was committed by an earlier run. */
  boolean isDone() {
    try {
      return jobs.verifyCommit(stage) instanceof Verdict.CommittedAt;
    } catch (NamespaceNotFoundException e) {
      // There is no graph yet: its first write makes it.
      return false;
    }
  }

  /** Stages the people; rows that cannot be nodes are set aside. */
  void stagePeople() {
    people(peopleFile(), stage);
  }

  private void people(Dataset<Row> rows, String name) {
    rows.write()
        .format("namidb")
        .option("label", "Person")
        .option("key", "email")
        .option("on-invalid", "quarantine")
        .option("stage", name)
        .mode("append")
        .save(uri);
  }

  /**
   * Stages who follows whom, by email: no lookup in the graph is needed. Rows that lack an end are
   * set aside; those held back are left out.
   */
  void stageFollows() {
    follows(marked().where(not(HELD_BACK)).select("follower", "followed", "since"), stage);
  }

  private void follows(Dataset<Row> rows, String name) {
    rows.write()
        .format("namidb")
        .option("type", "FOLLOWS")
        .option("src-key", "follower")
        .option("src-label", "Person")
        .option("dst-key", "followed")
        .option("dst-label", "Person")
        .option("on-invalid", "quarantine")
        .option("stage", name)
        .mode("append")
        .save(uri);
  }

  /**
   * Stages one new person who follows some others.
   *
   * @param name of a stage of its own
   */
  void stageNewcomer(String name, String email, List<String> followed) {
    people(spark.sql("SELECT '" + email + "' AS email, 'Newcomer' AS name"), name);
    follows(
        spark
            .createDataset(followed, Encoders.STRING())
            .toDF("followed")
            .withColumn("follower", lit(email)),
        name);
  }

  /** Publishes another stage. */
  CommitReceipt publish(String name) {
    return jobs.publish(name);
  }

  /** Gives another stage up, so that its name may be used again. */
  void discard(String name) {
    jobs.discard(name);
  }

  /** Follows of somebody who is set aside, or whom the export does not have at all. */
  Dataset<Row> heldBack() {
    return marked().where(HELD_BACK);
  }

  /** Follows, each with whether its ends will be in the graph. */
  private Dataset<Row> marked() {
    Dataset<Row> follows = csv("follows.csv", "follower STRING, followed STRING, since DATE");
    Dataset<Row> known =
        peopleFile()
            .select("email")
            .join(quarantined("Person").select("email"), "email", "left_anti")
            .withColumn("known", lit(true));
    return follows
        .join(known.toDF("follower", "has_follower"), "follower", "left")
        .join(known.toDF("followed", "has_followed"), "followed", "left");
  }

  /**
   * Rows of a table that were set aside, with their own columns and {@code _reason}. Where Spark
   * itself can reach the store, {@code spark.read().parquet} takes the folder as it is.
   */
  Dataset<Row> quarantined(String table) {
    try {
      Path rows = graphs.fetched(NAMESPACE, "bulk/" + stage + "/quarantine/" + table);
      return spark.read().parquet(rows.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the load keeps its files, its receipt and what it set aside. */
  String folder() {
    return graphs.name(NAMESPACE, "/bulk/" + stage);
  }

  /** Where the graph is. */
  String graph() {
    return graphs.name(NAMESPACE, "");
  }

  /** What publishing would do. */
  PublishPreview dryRun() {
    return jobs.dryRun(stage);
  }

  /** Publishes everything that is staged in one commit; again, it returns the first receipt. */
  CommitReceipt publish() {
    return jobs.publish(stage);
  }

  /** All people in the graph. */
  Dataset<Row> people() {
    return spark.read().format("namidb").option("label", "Person").load(uri);
  }

  /** All edges in the graph. */
  Dataset<Row> edges() {
    return spark.read().format("namidb").option("type", "FOLLOWS").load(uri);
  }

  private Dataset<Row> peopleFile() {
    return csv("people.csv", "email STRING, name STRING, city STRING, born DATE, score DOUBLE");
  }

  private Dataset<Row> csv(String file, String schema) {
    return spark
        .read()
        .schema(schema)
        .option("header", "true")
        .option("mode", "FAILFAST")
        .csv(input.resolve(file).toString());
  }
}
