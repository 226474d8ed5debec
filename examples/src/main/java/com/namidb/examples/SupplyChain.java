package com.namidb.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.sort_array;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The example graph at one snapshot, and the questions asked of it. */
final class SupplyChain {
  private final SparkSession spark;
  private final String uri;
  private final long version;

  SupplyChain(SparkSession spark, String uri, long version) {
    this.spark = spark;
    this.uri = uri;
    this.version = version;
  }

  /** All nodes with a label. */
  Dataset<Row> nodes(String label) {
    return spark
        .read()
        .format("namidb")
        .option("label", label)
        .option("versionAsOf", version)
        .load(uri);
  }

  /** All edges of a type. */
  Dataset<Row> edges(String type) {
    return spark
        .read()
        .format("namidb")
        .option("type", type)
        .option("versionAsOf", version)
        .load(uri);
  }

  /** Services that use the bad library themselves: {@code service_id}, {@code service}. */
  Dataset<Row> direct() {
    return services().join(uses("service_id", "lib_id"), "service_id").join(bad(), "lib_id");
  }

  /** Services that use it through another library: one column {@code service}, each once. */
  Dataset<Row> indirect() {
    return services()
        .join(uses("service_id", "mid_id"), "service_id")
        .join(uses("mid_id", "lib_id"), "mid_id")
        .join(bad(), "lib_id")
        .select("service")
        .distinct();
  }

  /** Teams that own direct users: {@code team}, {@code services}, {@code which}. */
  Dataset<Row> exposedTeams() {
    Dataset<Row> teams = nodes("Team").select(col("_id").as("team_id"), col("name").as("team"));
    Dataset<Row> owns =
        edges("OWNS").select(col("_src").as("team_id"), col("_dst").as("service_id"));
    return teams
        .join(owns, "team_id")
        .join(direct(), "service_id")
        .groupBy("team")
        .agg(count("service").as("services"), sort_array(collect_list("service")).as("which"))
        .orderBy(col("services").desc(), col("team"));
  }

  private Dataset<Row> services() {
    return nodes("Service").select(col("_id").as("service_id"), col("name").as("service"));
  }

  private Dataset<Row> uses(String from, String to) {
    return edges("USES").select(col("_src").as(from), col("_dst").as(to));
  }

  /** On Monday no node carries the label Vulnerable yet, so the library is found by what it is. */
  private Dataset<Row> bad() {
    return nodes("Library")
        .where(col("name").equalTo("fastlog").and(col("version").equalTo("2.14")))
        .select(col("_id").as("lib_id"));
  }
}
