import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Changes a namespace by SQL and prints the rows after each statement; values, not only counts. */
public final class StatementMatrix {
  private static final String[] STATEMENTS = {
    "UPDATE %s.nodes.Person SET n = n + 100, name = concat(name, '!') WHERE n > 4",
    "UPDATE %s.nodes SET _labels = array_union(_labels, array('Seen')) WHERE n IS NULL OR n < 3",
    "DELETE FROM %s.nodes.Person WHERE name LIKE '%%9!'",
    "DELETE FROM %s.nodes.Person WHERE _id = '00000000-0000-0000-0000-000000000005'",
    "MERGE INTO %s.nodes.Person t USING (SELECT * FROM VALUES"
        + " ('00000000-0000-0000-0000-000000000002', 'two', 2L),"
        + " ('00000000-0000-0000-0000-000000000003', 'three', -1L),"
        + " ('00000000-0000-0000-0000-0000000000f1', 'new', 41L) AS s(i, a, b)) s ON t._id = s.i"
        + " WHEN MATCHED AND b < 0 THEN DELETE WHEN MATCHED THEN UPDATE SET name = a"
        + " WHEN NOT MATCHED THEN INSERT (_id, n, name) VALUES (i, b, a)"
        + " WHEN NOT MATCHED BY SOURCE AND t.n > 105 THEN UPDATE SET n = 0",
    "MERGE INTO %s.edges.KNOWS t USING (SELECT _src, _dst, since FROM %s.edges.KNOWS) s"
        + " ON t._src = s._src AND t._dst = s._dst WHEN MATCHED AND s.since > 5 THEN DELETE"
        + " WHEN MATCHED THEN UPDATE SET since = s.since * 2",
    "INSERT INTO %s.edges.KNOWS (_src, _dst, since) VALUES"
        + " ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-0000000000f1', 9)",
    "DELETE FROM %s.edges.KNOWS",
    "DELETE FROM %s.nodes.Person"
  };

  private StatementMatrix() {}

  /** Takes the folder of a namespace {@code g} that may be changed. */
  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
            .config("spark.sql.catalog.nami.uri", "file://" + Path.of(args[0]).toAbsolutePath())
            .config("spark.namidb.on-incident-edges", "detach")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    try {
      seed(spark, "file://" + Path.of(args[0]).toAbsolutePath() + "?ns=g");
      print(spark, "start");
      for (String statement : STATEMENTS) {
        spark.sql(statement.replace("%s", "nami.g").replace("%%", "%")).collectAsList();
        print(spark, statement);
      }
    } finally {
      spark.stop();
    }
  }

  private static void seed(SparkSession spark, String uri) {
    Dataset<Row> nodes =
        spark.sql(
            "SELECT concat('00000000-0000-0000-0000-', lpad(lower(hex(id)), 12, '0')) AS _id,"
                + " concat('v', id) AS name, IF(id = 7, NULL, id) AS n, array(id / 2) AS list"
                + " FROM range(1, 12)");
    nodes.write().format("namidb").option("label", "Person").mode("append").save(uri);
    nodes
        .selectExpr("_id AS _src", "lead(_id) OVER (ORDER BY _id) AS _dst", "n AS since")
        .where("_dst IS NOT NULL")
        .write()
        .format("namidb")
        .option("type", "KNOWS")
        .mode("append")
        .save(uri);
  }

  private static void print(SparkSession spark, String after) {
    System.out.println(after);
    List<Row> nodes =
        spark.sql("SELECT _id, _labels, _json FROM nami.g.nodes ORDER BY _id").collectAsList();
    nodes.forEach(r -> System.out.println("  " + r));
    spark
        .sql("SELECT _src, _dst, _json FROM nami.g.edges ORDER BY _src, _dst")
        .collectAsList()
        .forEach(r -> System.out.println("  " + r));
  }
}
