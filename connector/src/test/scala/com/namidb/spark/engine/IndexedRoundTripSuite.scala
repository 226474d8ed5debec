package com.namidb.spark.engine

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import com.namidb.format.engine.Engines
import com.namidb.format.Canon
import com.namidb.format.Canon._
import com.namidb.format.store.TempDirs
import com.namidb.spark.Place
import org.apache.parquet.ParquetReadOptions
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.io.LocalInputFile
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}

/** The engine looks rows up that Spark wrote: through every kind of index, and by id in files of several pages. */
class IndexedRoundTripSuite extends GraphSuite {
  private def id(n: Int): String = f"$n%08x-0000-0000-0000-$n%012x"

  private case class Doc(n: Int, group: String, word: String, emb: Seq[Double])

  /** Components that 32 bits hold exactly; no two docs point the same way. */
  private def doc(n: Int, round: Int): Doc =
    Doc(n, s"g${(n + round) % 4}", s"w${round}x$n", Seq(n / 4.0, 1 + round / 8.0, 0.5, -0.25))

  private def frame(docs: Seq[Doc]): DataFrame = spark.createDataFrame(
    docs.map(d => Row(id(d.n), d.group, d.n.toLong, s"fox ${d.word}", d.emb.map(_.toFloat))).asJava,
    new StructType().add("_id", StringType).add("group", StringType).add("n", LongType).add("body", StringType).add("emb", ArrayType(FloatType)))

  private def save(df: DataFrame, dir: Path, o: (String, String)*): Unit =
    df.write.format("namidb").options(o.toMap).mode("append").save(s"file://$dir?ns=x")

  private class Asked(session: EngineSession, composite: Boolean) {
    def rows(cypher: String, parameters: (String, Canon)*): Seq[Seq[Canon]] =
      session.ask("do" -> "rows", "cypher" -> cypher, "parameters" -> parameters.toMap).asScala
        .map(_.asScala.map(Canon.value(_, base64 = false)).toSeq).toSeq

    private def ns(cypher: String, parameters: (String, Canon)*): Seq[Long] =
      rows(cypher, parameters: _*).map { case CInt(x) +: _ => x; case other => fail(s"$cypher: $other") }

    def agree(docs: Seq[Doc], clue: String): Unit = {
      for (g <- 0 to 4) assert(ns("MATCH (d:Doc {group: $g}) RETURN d.n", "g" -> CStr(s"g$g")).sorted ==
        docs.filter(_.group == s"g$g").map(_.n.toLong).sorted, s"$clue: group g$g")
      for (d <- docs; g <- Seq(d.group, "g9")) {
        val got = ns("MATCH (d:Doc {group: $g, n: $n}) RETURN d.n", "g" -> CStr(g), "n" -> CInt(d.n))
        assert(got == (if (g == d.group) Seq(d.n.toLong) else Nil), s"$clue: pair of ${d.n}")
      }
      for (n <- 0 to 60) assert(ns("MATCH (d:Doc {n: $n}) RETURN d.n", "n" -> CInt(n)).size == docs.count(_.n == n), s"$clue: n $n")
      assert(ns("MATCH (d:Doc) WHERE d.n > 7 AND d.n <= 33 RETURN d.n").sorted == docs.map(_.n.toLong).filter(n => n > 7 && n <= 33).sorted, clue)
      assert(ns("MATCH (d:Doc) RETURN d.n ORDER BY d.n DESC LIMIT 5") == docs.map(_.n.toLong).sorted.reverse.take(5), clue)
      assert(ns("MATCH (d:Doc) RETURN count(d)") == Seq(docs.size.toLong), clue)
      for (q <- Seq(Seq(3.0, 1.0, 0.5, -0.25), Seq(-1.0, 0.5, 0.5, 0.0))) {
        def cosine(d: Doc) = d.emb.zip(q).map { case (a, b) => a * b }.sum / math.sqrt(d.emb.map(a => a * a).sum)
        val got = ns("CALL db.index.vector.queryNodes('doc_emb', 4, $q) YIELD node, score RETURN node.n", "q" -> CSeq(q.map(CFloat)))
        assert(got == docs.sortBy(d => -cosine(d)).take(4).map(_.n.toLong), s"$clue: nearest to $q")
      }
      for (d <- docs.take(50); w <- Seq(d.word, s"w9x${d.n}")) {
        val got = ns("CALL search.bm25({label: 'Doc', text_property: 'body', query: $w, k: 5}) YIELD node, score RETURN node.n", "w" -> CStr(w))
        assert(got == (if (w == d.word) Seq(d.n.toLong) else Nil), s"$clue: text $w")
      }
      if (composite) assert(rows("SHOW INDEXES").exists(_.contains(CStr("doc_group_n"))), clue)
    }
  }

  for (engine <- Engines.versions if Engines.enabled) {
    test(s"engine $engine: property, composite, vector and text indexes, and a uniqueness constraint, over rows of Spark") {
      TempDirs.withDir { dir =>
        // Levels of ordinary size: on deeper ones the engine abandons compactions that meet a retired index.
        val session = new EngineSession(engine, Place.of(dir), Map("NAMIDB_COMPACTION_BASE_BYTES" -> "268435456"))
        session.ask("do" -> "open", "ns" -> "x")
        val composite = engine != "2.1.4"
        val asked = new Asked(session, composite)
        val ddl = Seq("CREATE INDEX FOR (d:Doc) ON (d.group)", "CREATE INDEX FOR (d:Doc) ON (d.n)",
          "CREATE VECTOR INDEX doc_emb ON :Doc(emb) METRIC cosine DIMENSION 4", "CREATE FULLTEXT INDEX doc_text ON :Doc(body)",
          "CREATE CONSTRAINT uq FOR (u:User) REQUIRE u.key IS UNIQUE") ++
          Seq("CREATE INDEX doc_group_n FOR (d:Doc) ON (d.group, d.n)").filter(_ => composite)
        def work(docs: Seq[Doc], more: (String, Any)*): Unit = {
          val nodes = docs.map(d => Map("id" -> id(d.n), "labels" -> Seq("Doc"), "properties" -> Map("group" -> CStr(d.group), "n" -> CInt(d.n),
            "body" -> CStr(s"fox ${d.word}"), "emb" -> CSeq(d.emb.map(CFloat)))))
          session.ask(Seq("do" -> "work", "nodes" -> nodes) ++ more: _*)
        }
        var docs = Map.empty[Int, Doc]
        def put(more: Seq[Doc]): Seq[Doc] = { docs ++= more.map(d => d.n -> d); more }
        def agree(clue: String): Unit = asked.agree(docs.values.toSeq.sortBy(_.n), s"$engine $clue")

        // The types of indexed properties are those of the rows there are.
        work(put(Seq(doc(0, 0))))
        ddl.foreach(asked.rows(_))
        work(put((1 until 20).map(doc(_, 0))), "flush" -> true)
        for (k <- Seq("a", "b")) asked.rows("CREATE (u:User {key: $k}) RETURN u.key", "k" -> CStr(k))
        work(put((20 until 30).map(doc(_, 0))), "flush" -> true, "compact" -> true)
        work(put(Seq(doc(5, 3)))) // left in the WAL
        agree("before")

        val o = Seq("search-indexes" -> "retire", "write-mode" -> "upsert")
        save(frame(put((15 until 45).map(doc(_, 1)))), dir, o :+ ("label" -> "Doc"): _*)
        save(frame((0 until 4).map(doc(_, 0))).select("_id"), dir, "search-indexes" -> "retire", "write-mode" -> "delete", "label" -> "Doc")
        docs --= 0 until 4
        // Another label: out of every index.
        save(frame(Seq(doc(4, 2))), dir, o :+ ("label" -> "Other"): _*)
        docs -= 4
        session.ask("do" -> "open", "ns" -> "x")
        agree("after Spark")
        work(put(Seq(doc(16, 2), doc(50, 2))), "flush" -> true)
        agree("after a flush")
        // Twice in a row, before anything is compacted.
        save(frame(put((14 until 18).map(doc(_, 5)))), dir, o :+ ("label" -> "Doc"): _*)
        save(frame(put((44 until 48).map(doc(_, 6)))), dir, o :+ ("label" -> "Doc"): _*)
        session.ask("do" -> "open", "ns" -> "x")
        agree("after Spark again")
        work(put(Seq(doc(17, 7))), "flush" -> true, "compact" -> true)
        agree("compacted")
        session.ask("do" -> "open", "ns" -> "x")
        agree("opened again")

        // Spark may delete what is unique; the engine knows at once that the value is free, and which is not.
        val user = read(s"file://$dir?ns=x", None, "label" -> "User").where(col("key") === "a").select("_id")
        save(user, dir, "label" -> "User", "write-mode" -> "delete", "search-indexes" -> "retire")
        session.ask("do" -> "open", "ns" -> "x")
        assert(asked.rows("MATCH (u:User) RETURN u.key") == Seq(Seq(CStr("b"))))
        assert(asked.rows("CREATE (u:User {key: 'a'}) RETURN u.key") == Seq(Seq(CStr("a"))))
        session.send(Map("do" -> "rows", "cypher" -> "CREATE (u:User {key: 'b'}) RETURN u.key"))
        assert(session.refusal().contains("unique"))
        work(Nil, "flush" -> true, "compact" -> true)
        agree("at the end")
        assert(read(s"file://$dir?ns=x", None, "label" -> "Doc").select("n").collect().map(_.getLong(0)).sorted.toSeq ==
          docs.keys.toSeq.sorted.map(_.toLong))
        session.close()
      }
    }

    test(s"engine $engine: ids at the ends of pages") {
      TempDirs.withDir { dir =>
        val rows = 100000
        // Every second id, so that ids between two rows can be missed.
        val df = spark.range(rows).select(format_string("%08x-0000-0000-0000-000000000000", col("id") * 2 + 1).as("_id"), col("id").as("n"))
        save(df, dir, "label" -> "P")
        def key(n: Long) = f"${2 * n + 1}%08x-0000-0000-0000-000000000000"
        val ends = files(dir).flatMap(pages)
        assert(ends.size >= 5 && files(dir).map(pages(_).size).max >= 3, "too few pages")
        val wanted = ends.flatMap { case (a, b) => Seq(a, b) }.distinct
        val missing = wanted.map(n => f"${2 * n + 2}%08x-0000-0000-0000-000000000000") :+ id(0)
        val session = new EngineSession(engine, Place.of(dir))
        for (more <- Seq(Nil, Seq("nodes" -> Seq(Map("id" -> key(7), "labels" -> Seq("P"), "properties" -> Map("n" -> 7))), "flush" -> true, "compact" -> true))) {
          session.ask("do" -> "open", "ns" -> "x")
          if (more.nonEmpty) session.ask(("do" -> "work") +: more: _*)
          val found = session.ask("do" -> "lookups", "label" -> "P", "ids" -> (wanted.map(key) ++ missing)).asScala.toSeq
          for ((n, f) <- wanted.zip(found)) assert(!f.isNull && f.get("n").longValue == n, s"row $n: $f")
          assert(found.drop(wanted.size).forall(_.isNull))
          for (n <- wanted)
            assert(session.ask("do" -> "rows", "cypher" -> "MATCH (p:P {_id: $i}) RETURN p.n", "parameters" -> Map("i" -> CStr(key(n)))).toString == s"[[$n]]")
        }
        session.close()
      }
    }
  }

  private def files(dir: Path): Seq[Path] = {
    val s = Files.walk(dir.resolve("x/bulk"))
    try s.iterator.asScala.filter(_.toString.endsWith(".parquet")).toSeq finally s.close()
  }

  /** First and last value of `n` of each page of ids; the files hold the ids in order and without gaps. */
  private def pages(file: Path): Seq[(Long, Long)] = {
    val in = ParquetFileReader.open(new LocalInputFile(file), ParquetReadOptions.builder().build())
    try {
      val least = spark.read.parquet(file.toString).agg(min("node_id")).head().getAs[Array[Byte]](0)
      var first = (java.nio.ByteBuffer.wrap(least).getInt - 1) / 2L
      in.getRowGroups.asScala.toSeq.flatMap { group =>
        val index = in.readOffsetIndex(group.getColumns.asScala.find(_.getPath.toDotString == "node_id").get)
        val starts = (0 until index.getPageCount).map(index.getFirstRowIndex(_)) :+ group.getRowCount
        val out = starts.zip(starts.tail).map { case (a, b) => (first + a, first + b - 1) }
        first += group.getRowCount
        out
      }
    } finally in.close()
  }
}
