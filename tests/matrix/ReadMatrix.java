import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Reads a namespace in every way and prints, per question, rows and an order-free checksum. */
public final class ReadMatrix {
  private final SparkSession spark;
  private final String uri;

  private ReadMatrix(SparkSession spark, String uri) {
    this.spark = spark;
    this.uri = uri;
  }

  public static void main(String[] args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.caseSensitive", "true")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    try {
      for (int i = 0; i + 1 < args.length; i += 2) {
        new ReadMatrix(spark, "file://" + args[i] + "?ns=" + args[i + 1]).run(args[i], args[i + 1]);
      }
    } finally {
      spark.stop();
    }
  }

  private void run(String folder, String ns) throws Exception {
    String name = Path.of(folder).getFileName().toString();
    for (String vectorized : new String[] {"true", "false"}) {
      for (String table : new String[] {"label=*", "type=*"}) {
        String clue = name + " " + table + " vectorized=" + vectorized;
        Dataset<Row> df = read(table, "vectorized", vectorized);
        print(clue, df);
        String key = table.startsWith("label") ? "_id" : "_dst";
        Row one = df.select(functions.max(key)).head();
        if (!one.isNullAt(0)) {
          print(clue + " by id", df.filter(functions.col(key).equalTo(one.getString(0))));
          print(clue + " by range", df.filter(functions.col(key).gt("5")));
        }
        print(clue + " hidden", df.select(key, "_lsn", "_level", "_snapshot_id", "_json"));
        System.out.println(clue + " count " + df.count() + " limit " + df.limit(3).collectAsList().size());
      }
    }
    Dataset<Row> versions = read("metadata=snapshots");
    print(name + " snapshots", versions.select("version", "epoch", "is_current"));
    for (String metadata : new String[] {"ssts", "wal", "labels", "edge_types", "properties", "pins"}) {
      print(name + " " + metadata, read("metadata=" + metadata));
    }
    for (Row r : versions.select("version").orderBy("version").limit(3).collectAsList()) {
      String v = String.valueOf(r.get(0));
      print(name + " at " + v, read("label=*", "versionAsOf", v));
    }
    Dataset<Row> nodes = read("label=*");
    Dataset<Row> edges = read("type=*");
    print(name + " join",
        edges.join(nodes, edges.col("_dst").equalTo(nodes.col("_id")))
            .groupBy("_type").agg(functions.count(functions.lit(1)).as("n")));
    lease(nodes, Path.of(folder, ns, "manifest", "pins"), name);
    procedures(folder, ns, name);
  }

  /** Catalog names and procedures; the version pinned is one in the middle. */
  private void procedures(String folder, String ns, String name) {
    SparkSession s = spark.newSession();
    s.conf().set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog");
    s.conf().set("spark.sql.catalog.nami.uri", "file://" + folder);
    String nodes = "SELECT * FROM nami." + ns + ".nodes";
    Dataset<Row> cached = s.table("nami." + ns + ".nodes").cache();
    System.out.println(name + " cached " + cached.count());
    String versions = "SELECT max(version) FROM nami." + ns + ".snapshots WHERE readable";
    long middle = s.sql(versions).head().getLong(0) / 2;
    Row pin = s.sql("CALL nami.system.pin(namespace => '" + ns + "', version => " + middle + ")").head();
    System.out.println(name + " pinned " + pin.getLong(1) + " " + pin.get(3) + " " + pin.get(4) + " " + pin.get(5));
    print(name + " under the pin", s.sql(nodes));
    print(name + " under the pin, by path",
        s.read().format("namidb").option("label", "*").load("file://" + folder + "?ns=" + ns));
    System.out.println(name + " versions seen " + s.sql("SELECT DISTINCT _snapshot_id FROM nami." + ns + ".nodes").collectAsList());
    System.out.println(name + " pins " + s.sql("CALL nami.system.pins('" + ns + "')").filter("this_session").count());
    try {
      s.sql("CALL nami.system.unpim('" + ns + "')").collectAsList();
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      System.out.println(name + " " + cause.getMessage());
    }
    print(name + " unpinned", s.sql("CALL nami.system.unpin('" + ns + "')").select("was_pinned", "snapshot_id"));
    print(name + " after the pin", s.sql(nodes));
    print(name + " cached still", cached);
    cached.unpersist();
    print(name + " checked", s.sql("CALL nami.system.check('" + ns + "', deep => true)").filter("check <> 'dangling edges'"));
    print(name + " verified", s.sql("CALL nami.system.verify_commit('" + ns + "', 'nothing')").select("outcome"));
  }

  /** Tasks must see a lease of the execution, and nothing may be left of it afterwards. */
  private void lease(Dataset<Row> nodes, Path pins, String name) throws Exception {
    String folder = pins.toString();
    spark.udf().register("leases", (String id) -> {
      String[] names = new java.io.File(folder).list();
      return names == null ? 0 : names.length;
    }, org.apache.spark.sql.types.DataTypes.IntegerType);
    Row seen = nodes.selectExpr("leases(_id) as n").agg(functions.min("n"), functions.max("n")).head();
    long until = System.nanoTime() + 20_000_000_000L;
    int left;
    do {
      String[] names = new java.io.File(folder).list();
      left = names == null ? 0 : names.length;
      Thread.onSpinWait();
    } while (left > 0 && System.nanoTime() < until);
    System.out.println(name + " leases seen " + seen + " left " + left);
  }

  private Dataset<Row> read(String table, String... options) {
    Map<String, String> all = new TreeMap<>();
    int eq = table.indexOf('=');
    all.put(table.substring(0, eq), table.substring(eq + 1));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return spark.read().format("namidb").options(all).load(uri);
  }

  /** Of the rows as text, so that no Spark version's own hash is compared. */
  private static void print(String clue, Dataset<Row> df) {
    long rows = 0;
    long sum = 0;
    for (Row r : df.collectAsList()) {
      rows++;
      sum += mix(text(r));
    }
    System.out.printf("%s: %d rows, checksum %016x, %s%n", clue, rows, sum, df.schema().simpleString());
  }

  private static String text(Object v) {
    if (v instanceof byte[] b) {
      return java.util.Arrays.toString(b);
    }
    if (v instanceof Row r) {
      StringBuilder s = new StringBuilder("(");
      for (int i = 0; i < r.size(); i++) {
        s.append(text(r.get(i))).append('\u0001');
      }
      return s.append(')').toString();
    }
    if (v instanceof scala.collection.Map<?, ?> m) {
      TreeMap<String, String> sorted = new TreeMap<>();
      scala.jdk.javaapi.CollectionConverters.asJava(m).forEach((k, x) -> sorted.put(text(k), text(x)));
      return sorted.toString();
    }
    if (v instanceof scala.collection.Seq<?> q) {
      StringBuilder s = new StringBuilder("[");
      for (Object x : scala.jdk.javaapi.CollectionConverters.asJava(q)) {
        s.append(text(x)).append(',');
      }
      return s.append(']').toString();
    }
    return String.valueOf(v);
  }

  private static long mix(String s) {
    long h = 0xcbf29ce484222325L;
    for (int i = 0; i < s.length(); i++) {
      h = (h ^ s.charAt(i)) * 0x100000001b3L;
    }
    h ^= h >>> 32;
    return h * 0x9e3779b97f4a7c15L;
  }
}
