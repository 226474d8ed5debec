package com.namidb.spark.procedure

import com.namidb.format.store.ObjectStore
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.store.s3.{FaultProxy, S3Server}
import org.apache.spark.sql.{Row, SparkSession}

/** What `check_store` says of stores that keep their promises, and of one that does not. */
class CheckStoreSuite extends CatalogFixture {
  private def keys(store: ObjectStore) = store.list("", java.util.Optional.empty[String]).objects

  private def broken(rows: Seq[Row]): Set[String] = rows.filterNot(_.getAs[Boolean]("ok")).map(_.getAs[String]("check")).toSet

  test("a promise that a server breaks is told, and nothing stays in the bucket") {
    val proxy = new FaultProxy(S3Server.shared.endpoint)
    val config = S3Server.shared.bucket()
    val s = spark.newSession()
    s.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
    s.conf.set("spark.sql.catalog.nami.uri", s"s3://${config.place}/x")
    S3Server.options(proxy.endpoint).foreach { case (k, v) => s.conf.set(s"spark.sql.catalog.nami.$k", v) }
    try {
      for ((header, check) <- Seq("if-none-match" -> "create-if-absent: one that exists", "if-match" -> "replace-if-match: with an older tag")) {
        proxy.on("PUT .*", FaultProxy.Without(header), FaultProxy.Always)
        val rows = s.sql("CALL nami.system.check_store()").collect().toSeq
        assert(rows.size == 5 && broken(rows).contains(check) && broken(rows).forall(_.startsWith(check.takeWhile(_ != ':'))), rows)
        assert(rows.exists(r => !r.getBoolean(1) && r.getAs[String]("detail").contains("must end otherwise")))
        proxy.heal()
      }
      assert(keys(StoreOpener.open(config)).isEmpty)
    } finally { SparkSession.setActiveSession(spark); proxy.close() }
  }

  test("another place than the catalog's can be asked, a folder of graphs or one graph, and looks as before") {
    withGraph { (p, s) =>
      val before = objects(p).keySet
      for (uri <- Seq(s"${p.base}/elsewhere", p.uri())) {
        val rows = s.sql(s"CALL nami.system.check_store(uri => '$uri')").collect().toSeq
        assert(rows.size == 7 && broken(rows).isEmpty, rows)
        assert(objects(p).keySet.filterNot(_.endsWith(".lock")) == before.filterNot(_.endsWith(".lock")))
      }
      assert(s.sql("SHOW NAMESPACES IN nami").collect().map(_.getString(0)).toSeq == Seq("g"))
      failure[com.namidb.format.error.InvalidOptionException](s.sql("CALL nami.system.check_store('nowhere://x')"))
    }
  }
}
