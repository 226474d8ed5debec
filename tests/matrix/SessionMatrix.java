import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A short SQL session: looking around, changing, other versions, a pin. Prints every answer. */
public final class SessionMatrix {
  private static final String ADA = "nami.system.node_id('Person', 'ada')";

  /** One that begins with "!" is refused by the connector, and its message is printed. */
  private static final String[] STATEMENTS = {
    "SHOW NAMESPACES IN nami.social",
    "SHOW TABLES IN nami.social.nodes",
    "SHOW TABLES IN nami.social.edges",
    "DESCRIBE TABLE nami.social.nodes.Person",
    "SHOW COLUMNS IN nami.social.nodes.Person",
    "SHOW COLUMNS IN nami.social.edges.KNOWS",
    "SELECT " + ADA + " AS id, nami.system.node_id('Visit', 7, DATE'2026-11-29') AS visit",
    "INSERT INTO nami.social.nodes.Person (_id, _labels, name, age) VALUES"
        + " (nami.system.node_id('Person', 'dee'), array('Person'), 'Dee', 44)",
    "INSERT INTO nami.social.nodes.Person BY NAME SELECT nami.system.node_id('Person', 'eve') AS _id,"
        + " array('Person', 'Admin') AS _labels, 'Eve' AS name, 51L AS age",
    "INSERT INTO nami.social.edges.KNOWS VALUES"
        + " (nami.system.node_id('Person', 'dee'), nami.system.node_id('Person', 'eve'), 2026)",
    "UPDATE nami.social.nodes.Person SET age = age + 1 WHERE name < 'C'",
    "DELETE FROM nami.social.edges.KNOWS WHERE since < 2002",
    "MERGE INTO nami.social.nodes.Person t USING (SELECT * FROM VALUES ('dee', 'Dee Dee'), ('fay', 'Fay')"
        + " AS s(key, name)) s ON t._id = nami.system.node_id('Person', s.key)"
        + " WHEN MATCHED THEN UPDATE SET name = s.name"
        + " WHEN NOT MATCHED THEN INSERT (_id, _labels, name, age) VALUES"
        + " (nami.system.node_id('Person', s.key), array('Person'), s.name, 9)",
    "SELECT * FROM nami.social.nodes.Person ORDER BY _id",
    "SELECT * FROM nami.social.edges.KNOWS ORDER BY _src, _dst",
    "SELECT a.name, b.name, since FROM nami.social.edges.KNOWS k JOIN nami.social.nodes.Person a ON a._id = k._src"
        + " JOIN nami.social.nodes.Person b ON b._id = k._dst ORDER BY 1, 2",
    "SELECT version, is_current FROM nami.social.snapshots ORDER BY version",
    "SELECT count(*), sum(age) FROM nami.social.nodes.Person VERSION AS OF 2",
    "SELECT count(*) FROM nami.social.nodes.Person TIMESTAMP AS OF '2999-01-01'",
    "!SELECT count(*) FROM nami.social.nodes VERSION AS OF 99999",
    "!SELECT * FROM nami.social.nodes.Persn",
    "CALL nami.system.pin(namespace => 'social', version => 2)",
    "SELECT name, age, _snapshot_id FROM nami.social.nodes.Person ORDER BY name",
    "SELECT count(*) FROM nami.social.nodes.Person VERSION AS OF 4",
    "!DELETE FROM nami.social.nodes.Person",
    "SELECT version, this_session FROM pins",
    "CALL nami.system.unpin('social')",
    "SELECT name, age FROM nami.social.nodes.Person ORDER BY name",
    "CREATE TABLE nami.social.nodes.City OPTIONS (key 'name') AS SELECT 'Oslo' AS name, 700000 AS people",
    "SELECT * FROM nami.social.nodes.City",
    "!DROP TABLE nami.social.nodes.City",
    "SELECT check, problem FROM checked"
  };

  private SessionMatrix() {}

  /** Takes an empty folder. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]).toAbsolutePath();
    Files.createDirectories(folder);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
            .config("spark.sql.catalog.nami.uri", "file://" + folder)
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    try {
      seed(spark);
      for (String statement : STATEMENTS) {
        run(spark, statement);
      }
    } finally {
      spark.stop();
    }
    try (Stream<Path> left = Files.list(folder.resolve("social/manifest/pins"))) {
      System.out.println("leases left " + left.count());
    }
  }

  private static void seed(SparkSession spark) {
    spark.sql("CREATE NAMESPACE nami.social");
    spark.sql(
        "CREATE TABLE nami.social.nodes.Person AS SELECT nami.system.node_id('Person', key) AS _id, name, age FROM"
            + " VALUES ('ada', 'Ada', 36L), ('bob', 'Bob', 27L), ('cid', 'Cid', 19L) AS t(key, name, age)");
    spark.sql(
        "CREATE TABLE nami.social.edges.KNOWS AS SELECT nami.system.node_id('Person', a) AS _src,"
            + " nami.system.node_id('Person', b) AS _dst, since FROM VALUES ('ada', 'bob', 2001L), ('bob', 'cid', 2002L),"
            + " ('cid', 'ada', 2003L) AS t(a, b, since)");
  }

  private static void run(SparkSession spark, String statement) {
    boolean refused = statement.startsWith("!");
    String sql = refused ? statement.substring(1) : statement;
    System.out.println(statement);
    if (sql.endsWith("FROM pins")) {
      spark.sql("CALL nami.system.pins('social')").createOrReplaceTempView("pins");
    } else if (sql.endsWith("FROM checked")) {
      spark.sql("CALL nami.system.check('social', deep => true)").createOrReplaceTempView("checked");
    }
    try {
      for (Row r : spark.sql(sql).collectAsList()) {
        System.out.println("  " + shown(r, sql));
      }
      if (refused) {
        System.out.println("  NOT REFUSED");
      }
    } catch (Exception e) {
      if (!refused) {
        throw e;
      }
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      System.out.println("  " + cause.getMessage().lines().findFirst().orElse(""));
    }
  }

  /**
   * Without what differs from run to run: names of leases and times of commits. Spark 4.0 shows no
   * comments of columns.
   */
  private static String shown(Row row, String sql) {
    if (sql.startsWith("DESCRIBE")) {
      return row.getString(0) + " " + row.getString(1);
    }
    if (!sql.startsWith("CALL")) {
      return row.toString();
    }
    List<Object> cells = new ArrayList<>();
    for (String name : row.schema().fieldNames()) {
      cells.add(name.equals("lease_id") || name.equals("committed_at") ? "…" : row.getAs(name));
    }
    return cells.toString();
  }
}
