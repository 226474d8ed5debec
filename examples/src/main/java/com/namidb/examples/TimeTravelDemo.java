package com.namidb.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.sort_array;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The main job on real input: nodes and edges of an engine-made namespace become DataFrames, are
 * joined, answer a question, and answer it again as of an older snapshot.
 */
public final class TimeTravelDemo {
  private static final long MONDAY = 2;
  private static final long WEDNESDAY = 4;
  private static final long FRIDAY = 9;

  private final SparkSession spark;
  private final String uri;
  private final Screen screen = new Screen(System.out);

  private TimeTravelDemo(SparkSession spark, String uri) {
    this.spark = spark;
    this.uri = uri;
  }

  /**
   * Runs the example.
   *
   * @param args the folder that holds the namespace {@code supply-chain}
   */
  public static void main(String[] args) throws IOException {
    Path data = ScratchCopy.of(Path.of(args[0]));
    SparkSession spark =
        SparkSession.builder()
            .appName("namidb time travel")
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate();
    try {
      new TimeTravelDemo(spark, "file://" + data + "?ns=supply-chain").run();
    } finally {
      spark.stop();
    }
  }

  private void run() {
    screen.title("A graph written by the NamiDB engine, read by Spark");
    screen.say("Services USE libraries, libraries USE libraries, teams OWN services.");
    screen.code("spark.read().format(\"namidb\").option(\"label\", \"Service\").load(uri)");
    Dataset<Row> services = nodes("Service", FRIDAY);
    screen.table(services.select("name", "tier", "requests_per_s").orderBy("name").limit(4));
    screen.say(
        services.count()
            + " services, "
            + edges("USES", FRIDAY).count()
            + " USES edges at snapshot 9.");

    screen.title("Which teams still run the vulnerable library?");
    screen.code("Team -OWNS-> Service -USES-> Vulnerable, as two joins");
    screen.table(exposedTeams(FRIDAY));

    screen.title("The same question, pinned to three snapshots");
    screen.code(".option(\"versionAsOf\", 4)");
    screen.say("");
    screen.row("snapshot", "services exposed", "directly", "through a library");
    for (long version : List.of(MONDAY, WEDNESDAY, FRIDAY)) {
      Dataset<Row> direct = direct(version);
      Dataset<Row> indirect = indirect(version);
      screen.row(
          day(version),
          "" + direct.union(indirect).distinct().count(),
          "" + direct.distinct().count(),
          "" + indirect.distinct().count());
    }
    screen.say("");
    screen.say("On Monday nobody knew. Nothing was copied to remember it: the engine's immutable");
    screen.say("files are all still there, and each DataFrame is pinned to one manifest version.");

    screen.title("What changed between Wednesday and Friday?");
    Dataset<Row> fixed = direct(WEDNESDAY).except(direct(FRIDAY));
    screen.say(
        fixed.count()
            + " services no longer use fastlog 2.14 directly. Still exposed on their own:");
    screen.table(direct(FRIDAY).distinct().orderBy("service").limit(5));
    screen.say(
        "Every number above was checked against the engine's own Cypher answers in the tests.");
  }

  private Dataset<Row> nodes(String label, long version) {
    return spark
        .read()
        .format("namidb")
        .option("label", label)
        .option("versionAsOf", version)
        .load(uri);
  }

  private Dataset<Row> edges(String type, long version) {
    return spark
        .read()
        .format("namidb")
        .option("type", type)
        .option("versionAsOf", version)
        .load(uri);
  }

  private Dataset<Row> exposedTeams(long version) {
    Dataset<Row> team =
        nodes("Team", version).select(col("_id").as("team_id"), col("name").as("team"));
    Dataset<Row> owns =
        edges("OWNS", version).select(col("_src").as("team_id"), col("_dst").as("service_id"));
    return team.join(owns, "team_id")
        .join(directIds(version), "service_id")
        .groupBy("team")
        .agg(count("service").as("services"), sort_array(collect_list("service")).as("which"))
        .orderBy(col("services").desc(), col("team"));
  }

  private Dataset<Row> directIds(long version) {
    return nodes("Service", version)
        .select(col("_id").as("service_id"), col("name").as("service"))
        .join(
            edges("USES", version).select(col("_src").as("service_id"), col("_dst").as("lib_id")),
            "service_id")
        .join(badLibraries(version), "lib_id")
        .select("service_id", "service");
  }

  private Dataset<Row> direct(long version) {
    return directIds(version).select("service");
  }

  private Dataset<Row> indirect(long version) {
    Dataset<Row> uses = edges("USES", version);
    return nodes("Service", version)
        .select(col("_id").as("service_id"), col("name").as("service"))
        .join(uses.select(col("_src").as("service_id"), col("_dst").as("mid_id")), "service_id")
        .join(uses.select(col("_src").as("mid_id"), col("_dst").as("lib_id")), "mid_id")
        .join(badLibraries(version), "lib_id")
        .select("service");
  }

  /** Before Wednesday no node carries the label, so the library is found by what it is. */
  private Dataset<Row> badLibraries(long version) {
    return nodes("Library", version)
        .where(col("name").equalTo("fastlog").and(col("version").equalTo("2.14")))
        .select(col("_id").as("lib_id"));
  }

  private static String day(long version) {
    return version == MONDAY ? "2 Monday" : version == WEDNESDAY ? "4 Wednesday" : "9 Friday";
  }
}
