package com.namidb.spark.engine

import org.apache.logging.log4j.Level
import org.apache.logging.log4j.core.config.Configurator
import org.apache.spark.sql.SparkSession

/**
 * Reads, writes and statements under an event log, with keys given in every way but one: Spark itself logs what a
 * session sets by `spark.conf.set`. What fails prints its trace.
 */
object LoggedEvents {
  val Token = "topsecrettoken"

  def main(args: Array[String]): Unit = {
    val Array(events, uri, root, endpoint, key, secret) = args
    val keys = Map("s3.endpoint" -> endpoint, "s3.region" -> "us-east-1", "s3.access-key-id" -> key, "s3.secret-access-key" -> secret,
      "s3.session-token" -> Token)
    val builder = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "2")
      .config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", s"file://$events").config("spark.eventLog.compress", "false")
      .config("spark.sql.catalog.start", "com.namidb.spark.NamiCatalog").config("spark.sql.catalog.start.uri", root)
    // As spark-submit passes them.
    for ((k, v) <- keys; to <- Seq("spark.namidb", "spark.sql.catalog.start")) builder.config(s"$to.$k", v)
    val spark = builder.getOrCreate()
    // Not Spark's other parts: what shares settings between sessions tells them all at DEBUG.
    for (logger <- Seq("com.namidb", "org.apache.spark.sql.catalyst", "org.apache.spark.sql.execution")) Configurator.setLevel(logger, Level.DEBUG)
    def attempt(body: => Any): Unit = try body: Unit catch { case e: Exception => e.printStackTrace(System.out) }
    try {
      def rows(n: Int) = spark.range(n).selectExpr("uuid() AS _id", "id AS n")
      // By the options of one read or write.
      rows(9).write.format("namidb").options(keys).option("label", "P").mode("append").save(uri)
      rows(9).write.format("namidb").options(keys).option("label", "P").option("job-id", "j").mode("append").save(uri)
      rows(2).write.format("namidb").options(keys).option("label", "Q").mode("overwrite").save(uri)
      val people = spark.read.format("namidb").options(keys).option("label", "P").load(uri)
      println(s"rows=${people.where("n > 3").groupBy("n").count().collect().length}")
      people.createOrReplaceTempView("people")
      spark.sql("CACHE TABLE cached AS SELECT * FROM people")
      spark.sql("EXPLAIN EXTENDED SELECT * FROM people a JOIN people b ON a._id = b._id").collect().foreach(println)
      attempt(people.selectExpr("raise_error(_id)").collect())
      attempt(spark.read.format("namidb").options(keys).option("label", "Nope").load(uri).count())
      attempt(spark.read.format("namidb").options(keys + ("s3.endpoint" -> "http://127.0.0.1:1")).option("label", "P").load(uri).count())
      attempt(rows(1).write.format("namidb").options(keys).option("label", "P").option("expected-rows", "7").mode("append").save(uri))
      // By the application's configuration, and by that of a catalog.
      println(s"plain=${spark.read.format("namidb").option("label", "P").load(uri).count()}")
      for (s <- Seq("SELECT count(*) FROM start.made.nodes.P", "DESCRIBE TABLE EXTENDED start.made.nodes.P",
          "SHOW TBLPROPERTIES start.made.nodes.P", "DESCRIBE NAMESPACE EXTENDED start.made", "SHOW CREATE TABLE start.made.nodes.P",
          "UPDATE start.made.nodes.P SET n = n + 1 WHERE n < 3", "DELETE FROM start.made.nodes.P WHERE n = 8", "CALL start.system.pin('made')",
          "SELECT count(*) FROM start.made.nodes.P", "CALL start.system.unpin('made')", "CALL start.system.check('made')",
          "EXPLAIN FORMATTED DELETE FROM start.made.nodes.P WHERE n = 7"))
        println(spark.sql(s).collect().mkString(s, " ", ""))
      attempt(spark.sql("DELETE FROM start.made.nodes.Nope"))
    } finally spark.stop()
  }
}
