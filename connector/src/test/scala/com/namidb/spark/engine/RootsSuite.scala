package com.namidb.spark.engine

import java.nio.file.Files

import com.namidb.format.{Canon, Golden}
import com.namidb.format.engine.Engines
import com.namidb.format.error.InvalidOptionException
import com.namidb.format.store.TempDirs
import com.namidb.format.store.s3.S3Server
import com.namidb.spark.{Graph, Place, Places}
import org.apache.spark.sql.{DataFrame, SaveMode}

/** Namespaces in buckets as they are found: below any root, with keys that hold what URLs encode. */
class RootsSuite extends GraphSuite {
  override def conf: Map[String, String] = super.conf ++ tiny

  /** How a user names a root: the URI's path, and options. */
  private case class Root(name: String, path: String, options: Seq[(String, String)], root: String)

  private val roots = Seq(
    Root("a prefix", "/graphs/prod", Nil, "graphs/prod"),
    Root("a prefix with too many slashes", "//graphs///prod//", Nil, "graphs/prod"),
    Root("a prefix with signs of its own", "/a+b/c=d,(e)", Nil, "a+b/c=d,(e)"),
    Root("the default root", "", Nil, "tenants"),
    Root("the default root, named", "/tenants", Nil, "tenants"),
    Root("an empty root", "", Seq("root" -> ""), ""),
    Root("an empty root beside a prefix", "/graphs", Seq("root" -> ""), ""),
    Root("a root that an option gives", "/graphs", Seq("root" -> "other/graphs"), "other/graphs"),
    Root("a prefix that URLs encode", "/a b/ü+%zz~", Nil, "a%20b/%C3%BC+%zz~"),
    Root("a prefix that is encoded already", "/a%20b/%C3%BC", Nil, "a%20b/%C3%BC"),
    Root("a root with a blank that an option gives", "/graphs", Seq("root" -> "a b"), "a%20b"),
    Root("a root in another alphabet that an option gives", "/graphs", Seq("root" -> "граф"), "%D0%B3%D1%80%D0%B0%D1%84"))

  // With blanks, +, %, quotes, brackets and other alphabets in edge types, which are part of keys.
  private val names = Golden("names")

  private def put(r: Root, layout: Places): Graph = layout.copied(names, Place.of(S3Server.shared.bucket(), r.path, r.root))

  private def load(g: Graph, r: Root, o: (String, String)*): DataFrame =
    spark.read.format("namidb").options((r.options ++ o).toMap).load(g.uri)

  for ((r, i) <- roots.zipWithIndex; layout = Seq(Places.Bucket, Places.SingleObjectBucket)(i % 2))
    test(s"${r.name}, $layout: what the engine answered, and what Spark adds") {
      val g = put(r, layout)
      val at = names.recorded.head
      def agree(clue: String): Unit =
        Answers.nodes(load(g, r, "label" -> "*").where("not array_contains(_labels, 'New + 1 %')").drop("fresh"), at.nodes, clue)
      agree("as it was")
      for ((t, es) <- at.edges.groupBy(_.tpe)) Answers.edges(load(g, r, "type" -> t), es, t)
      val types = at.edges.map(_.tpe).toSet
      for (sign <- Seq(" ", "+", "%")) assert(types.exists(_.contains(sign)), sign)
      val before = g.place.keys().toSet
      for (i <- 1 to 2)
        spark.range(3).selectExpr("uuid() AS _id", "id AS fresh").write.format("namidb")
          .options((r.options :+ ("label" -> "New + 1 %")).toMap).mode(SaveMode.Append).save(g.uri)
      assert(load(g, r, "label" -> "New + 1 %").count() == 6)
      agree("after a write")
      // All of it below the root, where the next one finds it too.
      val more = g.place.keys().toSet -- before
      assert(more.exists(_.startsWith(s"${g.ns}/bulk/")) && more.forall(_.startsWith(s"${g.ns}/")), more)
      val catalog = s"roots${RootsSuite.next()}"
      spark.conf.set(s"spark.sql.catalog.$catalog", "com.namidb.spark.NamiCatalog")
      (r.options :+ ("uri" -> g.place.root)).foreach { case (k, v) => spark.conf.set(s"spark.sql.catalog.$catalog.$k", v) }
      assert(spark.sql(s"SHOW NAMESPACES IN $catalog").collect().map(_.getString(0)).toSeq == Seq(g.ns))
      assert(spark.sql(s"SELECT * FROM $catalog.${g.ns}.nodes.`New + 1 %`").count() == 6)
    }

  test("a root that leads elsewhere is refused, by path and by option") {
    val bucket = S3Server.shared.bucket()
    for (root <- Seq("a/../b", "..", "./a", "a/%2e%2E/b", "a\tb")) {
      val place = Place.of(bucket, s"/$root", "x")
      for (df <- Seq[() => Any](() => spark.read.format("namidb").option("label", "*").load(place.uri()).count(),
          () => spark.read.format("namidb").option("label", "*").option("root", root).load(Place.of(bucket, "", "").uri()).count(),
          () => spark.range(1).selectExpr("uuid() AS _id").write.format("namidb").option("label", "P").mode("append").save(place.uri()))) {
        val said = failure[InvalidOptionException](df()).getMessage
        assert(said.contains(if (root.contains('\t')) "control character" else "would lead to another folder"), said)
      }
    }
    assert(Place.of(bucket, "", "").keys().isEmpty)
  }

  test("no graph of the engine is made where no engine could read it; one of Spark alone is") {
    for ((path, root) <- Seq("/a b" -> "a%20b", "/a%7Eb" -> "a%7Eb")) {
      val place = Place.of(S3Server.shared.bucket(), path, root)
      def write(o: (String, String)*): Unit = spark.range(2).selectExpr("uuid() AS _id", "id AS n").write.format("namidb")
        .options((o :+ ("label" -> "P")).toMap).mode(SaveMode.Append).save(place.uri())
      val said = failure[InvalidOptionException](write()).getMessage
      assert(said.contains("percent-encoding") && said.contains("single-object"), said)
      assert(place.keys("g/manifest").isEmpty)
      write("layout" -> "single-object")
      assert(spark.read.format("namidb").option("label", "P").load(place.uri()).count() == 2)
    }
  }

  if (Engines.enabled)
    for (v <- Engines.versions)
      test(s"engine $v and Spark share namespaces in folders of any name") {
        val dir = TempDirs.lasting("roots-")
        for (name <- Seq("a b", "a%20b", "a+b", "ü", "a b/c d")) {
          val uri = s"file://$dir/$name?ns=g"
          def rows(step: String): Int = Canon.mapper.readTree(Engines.run(v, "shared.py", uri, step, "KNOWS")).get("nodes").size
          def read(): Long = spark.read.format("namidb").option("label", "*").load(uri).count()
          val made = rows("make")
          assert(Files.isDirectory(dir.resolve(name).resolve("g")) && read() == made, name)
          spark.range(3).selectExpr("uuid() AS _id", "id AS n").write.format("namidb").option("label", "P").mode(SaveMode.Append).save(uri)
          assert(rows("look") == made + 3 && read() == made + 3, name)
        }
      }
}

object RootsSuite {
  private val count = new java.util.concurrent.atomic.AtomicInteger

  /** Spark keeps a catalog as it first saw it. */
  private def next(): Int = count.incrementAndGet()
}
