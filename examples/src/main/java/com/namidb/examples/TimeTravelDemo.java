package com.namidb.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The main job on real input: nodes and edges of an engine-made namespace become DataFrames, are
 * joined, answer a question, and answer it again as of an older snapshot.
 */
public final class TimeTravelDemo {
  private static final String NAME = "supply-chain";
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
   * @param args the folder that holds the namespace {@code supply-chain}; a URI such as {@code
   *     s3://bucket/prefix} brings it there, if it is not there yet, and reads it there
   */
  public static void main(String[] args) throws IOException {
    Path data = Path.of(args[0]);
    Optional<String> uri = Arrays.stream(args).filter(a -> a.contains("://")).findFirst();
    GraphRoot graphs =
        uri.isPresent() ? new GraphRoot(uri.get()) : GraphRoot.of(ScratchCopy.folder());
    graphs.bring(NAME, data.resolve(NAME));
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
      new TimeTravelDemo(spark, graphs.graph(NAME)).run();
    } finally {
      spark.stop();
    }
  }

  private void run() {
    SupplyChain friday = at(FRIDAY);
    screen.title("A graph written by the NamiDB engine, read by Spark");
    screen.say("Teams OWN services, services USE libraries, libraries USE libraries.");
    screen.code("spark.read().format(\"namidb\").option(\"label\", \"Service\").load(uri)");
    Dataset<Row> services = friday.nodes("Service");
    screen.table(services.select("name", "tier", "requests_per_s").orderBy("name").limit(4));
    screen.say(
        services.count() + " services, " + friday.edges("USES").count() + " USES edges today.");

    screen.title("Which teams still run fastlog 2.14, the vulnerable library?");
    screen.code("Team -OWNS-> Service -USES-> Library: two joins on _id, _src and _dst");
    screen.table(friday.exposedTeams());

    screen.title("The same question, pinned to three snapshots");
    screen.code(".option(\"versionAsOf\", " + WEDNESDAY + ")");
    screen.say("");
    screen.row("snapshot", "exposed services", "directly", "through a library");
    for (long version : List.of(MONDAY, WEDNESDAY, FRIDAY)) {
      Dataset<Row> direct = at(version).direct().select("service").distinct();
      Dataset<Row> indirect = at(version).indirect();
      screen.row(
          day(version),
          Long.toString(direct.union(indirect).distinct().count()),
          Long.toString(direct.count()),
          Long.toString(indirect.count()));
    }
    screen.say("");
    screen.say("On Monday nobody knew. Nothing was copied to remember it: the engine's immutable");
    screen.say("files are all still there, and each DataFrame is pinned to one manifest version.");

    screen.title("What changed between Wednesday and Friday?");
    Dataset<Row> before = at(WEDNESDAY).direct().select("service");
    Dataset<Row> after = friday.direct().select("service");
    screen.say(before.except(after).count() + " services left fastlog 2.14. Still on it:");
    screen.table(after.distinct().orderBy("service").limit(5));
  }

  private SupplyChain at(long version) {
    return new SupplyChain(spark, uri, version);
  }

  private static String day(long version) {
    String name = version == MONDAY ? "Monday" : version == WEDNESDAY ? "Wednesday" : "Friday";
    return version + " " + name;
  }
}
