package com.namidb.spark.engine

import org.apache.logging.log4j.Level
import org.apache.logging.log4j.core.config.Configurator
import org.apache.spark.sql.SparkSession

/** Reads, writes and statements with keys given in every way, under an event log; what fails prints its trace. */
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
    for ((k, v) <- keys) builder.config(s"spark.sql.catalog.start.$k", v)
    val spark = builder.getOrCreate()
    Configurator.setLevel("com.namidb", Level.DEBUG)
    Configurator.setLevel("org.apache.spark.sql", Level.DEBUG)
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
      // By the session's configuration, and by that of catalogs.
      for ((k, v) <- keys) spark.conf.set(s"spark.namidb.$k", v)
      println(s"plain=${spark.read.format("namidb").option("label", "P").load(uri).count()}")
      spark.conf.set("spark.sql.catalog.later", "com.namidb.spark.NamiCatalog")
      for ((k, v) <- keys + ("uri" -> root)) spark.conf.set(s"spark.sql.catalog.later.$k", v)
      for (c <- Seq("start", "later"); s <- Seq(s"SELECT count(*) FROM $c.made.nodes.P", s"DESCRIBE TABLE EXTENDED $c.made.nodes.P",
          s"SHOW TBLPROPERTIES $c.made.nodes.P", s"DESCRIBE NAMESPACE EXTENDED $c.made", s"SHOW CREATE TABLE $c.made.nodes.P",
          s"UPDATE $c.made.nodes.P SET n = n + 1 WHERE n < 3", s"DELETE FROM $c.made.nodes.P WHERE n = 8", s"CALL $c.system.pin('made')",
          s"SELECT count(*) FROM $c.made.nodes.P", s"CALL $c.system.unpin('made')", s"CALL $c.system.check('made')",
          s"EXPLAIN FORMATTED DELETE FROM $c.made.nodes.P WHERE n = 7"))
        println(spark.sql(s).collect().mkString(s, " ", ""))
      attempt(spark.sql("DELETE FROM start.made.nodes.Nope"))
    } finally spark.stop()
  }
}
