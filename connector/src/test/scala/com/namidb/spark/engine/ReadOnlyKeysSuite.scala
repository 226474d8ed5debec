package com.namidb.spark.engine

import com.namidb.format.Golden
import com.namidb.format.error.{NamiException, StoreException}
import com.namidb.format.store.s3.{FaultProxy, S3Server}
import com.namidb.format.store.StoreConfig
import com.namidb.spark.job.Jobs
import com.namidb.spark.{Graph, Place, Places}
import org.apache.spark.sql.DataFrame
import org.scalatest.BeforeAndAfterAll

import scala.jdk.CollectionConverters._

/** With keys that may read and nothing else: everything is read without a lease, and nothing is written. */
class ReadOnlyKeysSuite extends GraphSuite with BeforeAndAfterAll {
  private lazy val proxy = {
    val p = new FaultProxy(S3Server.shared.endpoint)
    p.on("(PUT|POST|DELETE) .*", FaultProxy.Answer(403, "AccessDenied"), FaultProxy.Always)
    p
  }

  override def afterAll(): Unit = proxy.close()

  /** An engine-made graph, and the same seen with such keys. */
  private def graph(layout: Places, name: String = "time-travel"): (Graph, String) = {
    val bucket = S3Server.shared.bucket()
    val g = layout.copied(Golden(name), Place.of(bucket, "/graphs", "graphs"))
    val seen = new StoreConfig("s3", bucket.place, (bucket.options.asScala ++ Map("s3.endpoint" -> proxy.endpoint)).asJava)
    (g, Place.of(seen, "/graphs", "graphs").uri(g.ns))
  }

  private def load(uri: String, o: (String, String)*): DataFrame = spark.read.format("namidb").options(o.toMap).load(uri)

  for (layout <- Seq(Places.Bucket, Places.SingleObjectBucket)) {
    test(s"$layout: reading says to read without a lease, and that reads everything") {
      val (g, uri) = graph(layout)
      val before = g.place.keys()
      val refused = Seq[() => Any](() => load(uri, "label" -> "*").collect(), () => load(uri, "type" -> "*").collect(),
        () => load(uri, "label" -> "*", "versionAsOf" -> "4").collect(), () => load(uri, "label" -> "*", "changes-from" -> "4").collect())
      for (read <- refused) {
        val e = failure[StoreException](read())
        for (w <- Seq("Allow writing below manifest/pins/", "pin=off")) assert(e.getMessage.contains(w), e.getMessage)
      }
      for (at <- g.recorded) {
        val o = at.version.map("versionAsOf" -> _.toString).toSeq :+ ("pin" -> "off")
        Answers.nodes(load(uri, o :+ ("label" -> "*"): _*), at.nodes, s"${at.version}")
        for ((t, es) <- at.edges.groupBy(_.tpe)) Answers.edges(load(uri, o :+ ("type" -> t): _*), es, s"${at.version} $t")
      }
      assert(load(uri, "label" -> "*", "changes-from" -> "4", "pin" -> "off").count() > 0)
      for (t <- Seq("snapshots", "ssts", "wal", "labels", "edge_types", "properties", "pins", "staged", "receipts"))
        load(uri, "metadata" -> t).collect()
      assert(g.place.keys() == before)
    }

    test(s"$layout: a catalog reads under spark.namidb.pin=off; a pin is refused with what it lacks") {
      val (g, uri) = graph(layout)
      val s = configured(spark.newSession())
      s.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
      s.conf.set("spark.sql.catalog.nami.uri", uri.replace(s"ns=${g.ns}&", ""))
      assert(s.sql("SHOW NAMESPACES IN nami").collect().map(_.getString(0)).toSeq == Seq(g.ns))
      s.conf.set("spark.namidb.pin", "off")
      assert(s.table(s"nami.${g.ns}.nodes").count() == g.recorded.head.nodes.size)
      assert(s.sql(s"SELECT * FROM nami.${g.ns}.nodes VERSION AS OF 4").count() == g.recorded.find(_.version.contains(4)).get.nodes.size)
      val e = failure[NamiException](s.sql(s"CALL nami.system.pin('${g.ns}')"))
      assert(e.getMessage.contains("manifest/pins/") && e.getMessage.contains("Allow"), e.getMessage)
      assert(s.sql(s"CALL nami.system.check('${g.ns}')").collect().isEmpty)
      val deep = s"CALL nami.system.check('${g.ns}', true)"
      assert(s.sql(deep).collect().isEmpty)
      s.conf.unset("spark.namidb.pin")
      val refused = failure[StoreException](s.sql(deep)).getMessage
      assert(refused.contains("SET spark.namidb.pin=off"), refused)
      s.conf.set("spark.namidb.pin", "off")
      assert(s.table(s"nami.${g.ns}.nodes").count() == g.recorded.head.nodes.size, "a pin that failed left something")
    }

    test(s"$layout: every kind of write fails with the store's answer, before anything is there") {
      val (g, uri) = graph(layout)
      val before = g.place.keys()
      val rows = spark.range(3).selectExpr("uuid() AS _id", "id AS n")
      def save(mode: String, o: (String, String)*): Unit = rows.write.format("namidb").options((("label" -> "P") +: o).toMap).mode(mode).save(uri)
      for (write <- Seq[() => Any](() => save("append"), () => save("append", "write-mode" -> "upsert"), () => save("append", "job-id" -> "j"),
          () => save("append", "stage" -> "s"), () => save("overwrite", "on-incident-edges" -> "detach"),
          () => rows.write.format("namidb").option("label", "P").mode("append").save(uri.replace(s"ns=${g.ns}", "ns=fresh")))) {
        val e = failure[NamiException](write())
        assert(e.getMessage.contains("may not") || e.getMessage.contains("s3:PutObject") || e.getMessage.contains("AccessDenied"), e.getMessage)
      }
      assert(g.place.keys() == before && newest(g.uri) == newest(uri))
      assert(Jobs.at(java.util.Map.of("uri", uri)).staged().isEmpty)
    }
  }
}
