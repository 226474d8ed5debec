package com.namidb.spark.engine

import java.io.{PrintWriter, StringWriter}
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import com.namidb.format.engine.Engines
import com.namidb.format.error.{NamiException, SnapshotGoneException, StoreUnsafeException}
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.store.s3.{FaultProxy, S3Server}
import com.namidb.format.{Canon, Golden}
import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.{LogEvent, LoggerContext}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.{Configurator, Property}
import org.apache.spark.sql.{DataFrame, SaveMode}
import org.scalatest.exceptions.TestFailedException

/** Graphs in a bucket: reading, writing, beside the engine, and without showing a key. */
class S3Suite extends GraphSuite {
  private val server = S3Server.shared
  private val secrets = Seq(S3Server.SecretKey, "hush", "topsecrettoken")

  private def options(endpoint: String = server.endpoint): Map[String, String] = S3Server.options(endpoint)

  private def load(uri: String, o: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options() ++ o).load(uri)

  private def save(df: DataFrame, uri: String, o: (String, String)*): Unit =
    df.write.format("namidb").options(options() ++ o).mode(SaveMode.Append).save(uri)

  private def id(n: Long) = f"00000000-0000-0000-0000-$n%012x"

  /** Puts the files of a local namespace where the URI's root leads. */
  private def uploaded(c: Golden.Case, root: String): String = {
    val config = server.bucket()
    val store = StoreOpener.open(config)
    val s = Files.walk(c.folder)
    try s.iterator.asScala.filter(Files.isRegularFile(_)).foreach { f =>
      store.put(s"$root/${c.ns}/${c.folder.relativize(f)}", Files.readAllBytes(f))
    }
    finally { s.close(); store.close() }
    config.place
  }

  for (c <- Golden.cases.sortBy(_.recorded.head.nodes.size).takeRight(4); scheme <- Seq("s3", "s3a").take(if (c.base64) 2 else 1))
    test(s"${c.name} from a bucket, $scheme") {
      val prefixed = scheme == "s3"
      val root = if (prefixed) "graphs/prod" else "tenants"
      val uri = s"$scheme://${uploaded(c, root)}${if (prefixed) "/graphs/prod/" else ""}?ns=${c.ns}"
      for (at <- c.recorded.take(3)) {
        val clue = s"${c.name}@${at.version}"
        val version = at.version.map("versionAsOf" -> _.toString).toSeq
        Answers.nodes(load(uri, version :+ ("label" -> "*"): _*), at.nodes, clue)
        for ((t, es) <- at.edges.groupBy(_.tpe)) Answers.edges(load(uri, version :+ ("type" -> t): _*), es, s"$clue type $t")
      }
    }

  private def answers(version: String, uri: String, step: String): (Seq[Canon.Node], Seq[Canon.Edge]) = {
    val environment = Map("AWS_ACCESS_KEY_ID" -> S3Server.AccessKey, "AWS_SECRET_ACCESS_KEY" -> S3Server.SecretKey)
    val out = Engines.runWith(environment, version, "shared.py", s"$uri&region=us-east-1&allow_http=true&endpoint=${server.endpoint}", step, "KNOWS,Ünï + 1")
    val n = Canon.mapper.readTree(out)
    (n.get("nodes").asScala.map(Canon.node(_, base64 = false)).toSeq, n.get("edges").asScala.map(Canon.edge(_, base64 = false)).toSeq)
  }

  private def agree(uri: String, engine: (Seq[Canon.Node], Seq[Canon.Edge]), clue: String): Unit = {
    Answers.nodes(load(uri, "label" -> "*"), engine._1, clue)
    for ((t, es) <- engine._2.groupBy(_.tpe)) Answers.edges(load(uri, "type" -> t), es, s"$clue type $t")
    assert(load(uri, "type" -> "*").count() == engine._2.size, clue)
  }

  private def people(ns: Range, name: String): DataFrame =
    spark.range(ns.start.toLong, ns.end.toLong).selectExpr("concat('00000000-0000-0000-0000-', lpad(lower(hex(id)), 12, '0')) as _id",
      s"concat('$name', id) as name", "id as n")

  if (Engines.enabled)
    for ((v, i) <- Engines.versions.zipWithIndex)
      test(s"engine $v and Spark share a namespace in a bucket") {
        // The root of the URI, and the engine's own when it names none.
        val uri = s"s3://${server.bucket().place}${Seq("/some/graphs", "").apply(i % 2)}?ns=shared$i"
        agree(uri, answers(v, uri, "make"), s"$v made it")
        save(people(3 until 6, "s"), uri, "label" -> "Person", "write-mode" -> "upsert")
        save(people(100 until 400, "new"), uri, "label" -> "Person", "file-size" -> "4k")
        save(spark.range(100, 140).selectExpr(s"'${id(1)}' as _src",
          "concat('00000000-0000-0000-0000-', lpad(lower(hex(id)), 12, '0')) as _dst", "id as since"), uri, "type" -> "KNOWS")
        val mixed = answers(v, uri, "look")
        agree(uri, mixed, s"$v after Spark")
        assert(mixed._1.size == 340 && mixed._2.size == 118)
        val changed = answers(v, uri, "change")
        agree(uri, changed, s"$v after the engine")
        assert(changed._1.exists(n => n.id == id(3) && n.properties("name") == Canon.CStr("engine")) && changed._1.size == 341)
      }

  if (Engines.enabled)
    for (v <- Engines.versions; (root, start) <- Seq("a b/c%20d" -> "a%2520b/c%2520d/", "ü+%zz~" -> "%25C3%25BC+%25zz%7E/"))
      test(s"what engine $v wrote below $root, where it cannot read it itself, Spark reads and adds to") {
        val bucket = server.bucket()
        val (plain, uri) = (s"s3://${server.bucket().place}/plain?ns=shared", s"s3://${bucket.place}/$root?ns=shared")
        val made = answers(v, plain, "make")
        def failed(step: String) = intercept[TestFailedException](answers(v, uri, step)).getMessage
        // It encodes the names of files, and of the body that a pointer names, once more than when it wrote them.
        assert(failed("make").contains(".parquet not found"))
        agree(uri, made, s"$v made it")
        assert(failed("look").contains("already bootstrapped"))
        for (u <- Seq(plain, uri)) {
          save(people(3 until 6, "s"), u, "label" -> "Person", "write-mode" -> "upsert")
          save(people(100 until 110, "new"), u, "label" -> "Person")
        }
        val mixed = answers(v, plain, "look")
        agree(uri, mixed, "after Spark")
        assert(mixed._1.size == 50)
        val keys = StoreOpener.open(bucket).list("", java.util.Optional.empty[String]).objects.asScala.map(_.key)
        assert(keys.exists(_.contains("/bulk/")) && keys.forall(_.startsWith(s"${start}shared/")))
        // Elsewhere it is one for the engine, as soon as a pointer names a body there.
        val store = StoreOpener.open(bucket)
        for (k <- keys) store.put("rescued/" + k.stripPrefix(start), store.get(k).get.bytes)
        val rescued = s"s3://${bucket.place}/rescued?ns=shared"
        agree(rescued, mixed, "copied")
        save(people(200 until 201, "new"), rescued, "label" -> "Person")
        val again = answers(v, rescued, "change")
        agree(rescued, again, "rescued")
        assert(again._1.size == 52)
      }

  test("a new namespace: stages, a job's id, quarantine and metadata tables work in a bucket") {
    val uri = s"s3a://${server.bucket().place}/x?ns=made"
    save(people(0 until 50, "a"), uri, "label" -> "P", "job-id" -> "one")
    save(people(0 until 50, "a"), uri, "label" -> "P", "job-id" -> "one")
    assert(load(uri, "metadata" -> "snapshots").count() == 2)
    val bad = people(50 until 60, "a").unionByName(spark.range(1).selectExpr("cast(null AS STRING) AS _id", "'nobody' AS name", "0L AS n"))
    save(bad, uri, "label" -> "P", "on-invalid" -> "quarantine")
    assert(load(uri, "label" -> "P").count() == 60)
    save(spark.range(5).selectExpr(s"concat('00000000-0000-0000-0000-', lpad(lower(hex(id)), 12, '0')) as _id"), uri, "label" -> "P", "write-mode" -> "delete")
    assert(load(uri, "label" -> "P").where("n < 10").count() == 5)
    assert(load(uri, "label" -> "P", "versionAsOf" -> "1").count() == 50)
    assert(load(uri, "metadata" -> "ssts").count() > 0 && load(uri, "metadata" -> "pins").count() == 0)
  }

  test("the catalog and the session's configuration reach a bucket") {
    val bucket = server.bucket().place
    save(people(0 until 3, "a"), s"s3://$bucket/x?ns=made", "label" -> "P")
    val session = spark.newSession()
    session.conf.set("spark.sql.catalog.s3nami", "com.namidb.spark.NamiCatalog")
    session.conf.set("spark.sql.catalog.s3nami.uri", s"s3://$bucket/x")
    options().foreach { case (k, v) => session.conf.set(s"spark.sql.catalog.s3nami.$k", v) }
    assert(session.sql("SELECT name FROM s3nami.made.nodes.P WHERE n = 1").collect().map(_.getString(0)).toSeq == Seq("a1"))
    options().foreach { case (k, v) => session.conf.set(s"spark.namidb.$k", v) }
    assert(session.read.format("namidb").option("label", "P").load(s"s3://$bucket/x?ns=made").count() == 3)
  }

  for (layout <- Seq("versioned", "single-object"))
    test(s"$layout: versions expire in a bucket, and what stays is read") {
      val bucket = server.bucket()
      val uri = s"s3://${bucket.place}/x?ns=made"
      for (i <- 0 until 4) save(people(i * 10 until i * 10 + 10, "a"), uri, "label" -> "P", "layout" -> layout)
      val session = spark.newSession()
      session.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
      session.conf.set("spark.sql.catalog.nami.uri", s"s3://${bucket.place}/x")
      options().foreach { case (k, v) => session.conf.set(s"spark.sql.catalog.nami.$k", v) }
      def expire(o: String) = session.sql(s"CALL nami.system.expire_snapshots(namespace => 'made', retain_last => 2, dry_run => false$o)").collect()
      assert(expire("").head.getAs[Long]("objects") == 0, "all is younger than a day")
      val old = load(uri, "label" -> "P", "versionAsOf" -> "3")
      val gone = expire(", allow_unsafe_age => true")
      assert(gone.head.getAs[Long]("snapshot_id") == 3 && gone.head.getAs[Long]("objects") == (if (layout == "versioned") 6 else 3), gone.mkString)
      failure[SnapshotGoneException](load(uri, "label" -> "P", "versionAsOf" -> "2").count())
      assert(old.count() == 30 && load(uri, "label" -> "P").count() == 40)
      save(people(40 until 50, "a"), uri, "label" -> "P")
      assert(session.table("nami.made.nodes.P").count() == 50)
      assert(expire(", allow_unsafe_age => true").head.getAs[Long]("snapshot_id") == 4)
      session.sql("DROP NAMESPACE nami.made CASCADE")
      assert(StoreOpener.open(bucket).list("", java.util.Optional.empty[String]).objects.isEmpty)
    }

  test("a server that ignores a condition is not written to") {
    val proxy = new FaultProxy(server.endpoint)
    try {
      proxy.on("PUT .*", FaultProxy.Without("if-none-match"), FaultProxy.Always)
      val bucket = server.bucket()
      failure[StoreUnsafeException](people(0 until 3, "a").write.format("namidb").options(options(proxy.endpoint)).option("label", "P")
        .mode(SaveMode.Append).save(s"s3://${bucket.place}/x?ns=made"))
      assert(StoreOpener.open(bucket).list("", java.util.Optional.empty[String]).objects.isEmpty)
    } finally proxy.close()
  }

  for ((layout, header) <- Seq("versioned" -> "if-none-match", "single-object" -> "if-match"))
    test(s"$layout: nothing is created, expired, swept, discarded or dropped on a server that ignores $header") {
      val proxy = new FaultProxy(server.endpoint)
      try {
        val bucket = server.bucket()
        val store = StoreOpener.open(bucket)
        val uri = s"s3://${bucket.place}/x?ns=made"
        for (i <- 0 until 3) save(people(i until i + 1, "a"), uri, "label" -> "P", "layout" -> layout)
        save(people(5 until 6, "a"), uri, "label" -> "P", "stage" -> "staged")
        proxy.on("PUT .*", FaultProxy.Without(header), FaultProxy.Always)
        val session = spark.newSession()
        session.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
        session.conf.set("spark.sql.catalog.nami.uri", s"s3://${bucket.place}/x")
        options(proxy.endpoint).foreach { case (k, v) => session.conf.set(s"spark.sql.catalog.nami.$k", v) }
        def objects = store.listAll("").asScala.map(o => o.key -> o.etag).toSet
        val before = objects
        val sweeps = Seq("expire_snapshots", "remove_orphan_files", "clean_staging").map(p => (d: Boolean) => s"CALL nami.system.$p(namespace => 'made', dry_run => $d, allow_unsafe_age => true)")
        for (statement <- Seq("CREATE NAMESPACE nami.other", "DROP NAMESPACE nami.made CASCADE", "CALL nami.system.discard('made', 'staged')") ++ sweeps.map(_(false))) {
          val e = failure[StoreUnsafeException](session.sql(statement).collect())
          assert(e.getMessage.contains("cannot be written to safely") && objects == before, statement)
        }
        for (sweep <- sweeps) session.sql(sweep(true)).collect()
        assert(objects == before && session.table("nami.made.nodes.P").count() == 3)
        proxy.heal()
        for (sweep <- sweeps) session.sql(sweep(false)).collect()
        for (statement <- Seq("CREATE NAMESPACE nami.other", "DROP NAMESPACE nami.other", "CALL nami.system.discard('made', 'staged')", "DROP NAMESPACE nami.made CASCADE"))
          session.sql(statement).collect()
        assert(objects.isEmpty)
      } finally proxy.close()
    }

  test("reading and writing go on while the server slows down and connections break") {
    val proxy = new FaultProxy(server.endpoint)
    try {
      val uri = s"s3://${server.bucket().place}/x?ns=made"
      def there(w: org.apache.spark.sql.DataFrameWriter[org.apache.spark.sql.Row]) =
        w.format("namidb").options(options(proxy.endpoint)).option("label", "P").mode(SaveMode.Append).save(uri)
      there(people(0 until 100, "a").write)
      proxy.on("PUT .*/pointer/p.*", FaultProxy.LostReply)
      proxy.on("PUT .*/manifest/v.*", FaultProxy.DoneThenAnswer(500, "InternalError"))
      proxy.on("PUT .*/current.json", FaultProxy.LostReply)
      for (skip <- Seq(1, 4, 6)) proxy.on("(GET|HEAD) .*", FaultProxy.Answer(503, "SlowDown"), skip = skip)
      proxy.on("PUT .*parquet.*", FaultProxy.LostReply)
      there(people(100 until 200, "b").write.option("file-size", "2k"))
      for (skip <- Seq(2, 3, 5)) proxy.on("GET .*parquet.*", FaultProxy.CutBody(10), skip = skip)
      val df = spark.read.format("namidb").options(options(proxy.endpoint)).option("label", "P").load(uri)
      assert(df.selectExpr("count(*)", "sum(n)").collect().head.toSeq == Seq(200L, (0L until 200L).sum))
      assert(load(uri, "metadata" -> "snapshots").count() == 3)
    } finally proxy.close()
  }

  test("no key shows in plans, logs, errors or texts") {
    val seen = new ConcurrentLinkedQueue[String]
    val context = LogManager.getContext(false).asInstanceOf[LoggerContext]
    val appender = new AbstractAppender("secrets", null, null, true, Property.EMPTY_ARRAY) {
      override def append(e: LogEvent): Unit = {
        seen.add(e.getMessage.getFormattedMessage)
        if (e.getThrown != null) seen.add(trace(e.getThrown)): Unit
      }
    }
    appender.start()
    val config = context.getConfiguration
    // Not the SDK's signer: what it signs, and tells at DEBUG, has the session's token in it.
    val levels = Map("com.namidb" -> Level.DEBUG, "software.amazon.awssdk" -> Level.INFO, "software.amazon.awssdk.request" -> Level.DEBUG,
      "org.apache.spark.sql" -> Level.DEBUG, "org.apache.spark.scheduler" -> Level.INFO)
    val before = levels.keys.map(n => n -> config.getLoggerConfig(n).getLevel).toMap
    config.getRootLogger.addAppender(appender, Level.ALL, null)
    Configurator.setLevel(levels.asJava)
    try {
      val uri = s"s3://${server.bucket().place}/x?ns=made"
      val token = "s3.session-token" -> "topsecrettoken"
      save(people(0 until 20, "a"), uri, "label" -> "P", token)
      val df = load(uri, "label" -> "P", token)
      for (text <- Seq(df.queryExecution.toString, df.queryExecution.stringWithStats, df.toString, df.queryExecution.analyzed.toString,
          df.where("n = 3").queryExecution.executedPlan.treeString(verbose = true, addSuffix = true), df.schema.json))
        seen.add(text)
      assert(df.where("n > 3").count() == 16)
      df.createOrReplaceTempView("secretive")
      seen.add(spark.sql("EXPLAIN EXTENDED SELECT * FROM secretive").collect().mkString)
      val wrong = Seq[() => Any](
        () => load(s"s3://no-such-bucket-here/x?ns=made", "label" -> "P", token).collect(),
        () => load(uri, "label" -> "P", token, "s3.regoin" -> "hush").collect(),
        () => load(uri, "label" -> "P", token, "s3.path-style" -> "hush").collect(),
        () => load(uri, "label" -> "P", token, "s3.endpoint" -> "http://127.0.0.1:1").collect(),
        () => load(uri, "label" -> "P", token, "versionAsOf" -> "77").collect(),
        () => save(people(0 until 2, "a"), uri, "label" -> "P", token))
      for (w <- wrong) {
        val e = intercept[Throwable](w())
        seen.add(trace(e))
        assert(Iterator.iterate(e)(_.getCause).takeWhile(_ != null).exists(_.isInstanceOf[NamiException]), e)
      }
    } finally {
      config.getRootLogger.removeAppender("secrets")
      Configurator.setLevel(before.asJava)
    }
    assert(seen.size > 50, "nothing was logged")
    assert(seen.asScala.exists(_.startsWith("Sending Request")) && seen.asScala.exists(_.contains("snapshot")), "the wrong things were logged")
    for (text <- seen.asScala; secret <- secrets) assert(!text.contains(secret), text.take(2000))
  }

  private def trace(e: Throwable): String = {
    val out = new StringWriter
    e.printStackTrace(new PrintWriter(out))
    out.toString
  }
}
