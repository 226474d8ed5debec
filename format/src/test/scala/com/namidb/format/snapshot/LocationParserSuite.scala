package com.namidb.format.snapshot

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

import com.namidb.format.error.InvalidOptionException
import com.namidb.format.store.TempDirs
import org.scalatest.funsuite.AnyFunSuite

class LocationParserSuite extends AnyFunSuite {
  private def parse(uri: String, ns: Option[String] = None, root: Option[String] = None, options: Map[String, String] = Map.empty) =
    LocationParser.parse(uri, ns.toJava, root.toJava, options.asJava)

  private def refuse(uri: String, ns: Option[String] = None, root: Option[String] = None): String = {
    val e = intercept[InvalidOptionException](parse(uri, ns, root))
    e.getMessage
  }

  private def check(location: Location, scheme: String, place: String, root: String, ns: String, options: Map[String, String] = Map.empty): Unit = {
    assert(location.store.scheme == scheme && location.store.place == place)
    assert(location.paths.root == root && location.paths.namespace == ns)
    assert(location.store.options.asScala.toMap == options)
  }

  test("file URIs: the raw directory, not decoded, absolute from here on") {
    check(parse("file:///data/graphs?ns=social"), "file", "/data/graphs", "", "social")
    check(parse("file:///data/a%20b+c d#e?ns=social"), "file", "/data/a%20b+c d#e", "", "social")
    check(parse("file:///data/graphs/?ns=social"), "file", "/data/graphs", "", "social")
    for ((uri, dir) <- Seq("file://./data?ns=a" -> "./data", "file://data/x?ns=a" -> "data/x", "file://../d?ns=a" -> "../d"))
      check(parse(uri), "file", Path.of(dir).toAbsolutePath.normalize.toString, "", "a")
    check(parse("FILE:///d?ns=a"), "file", "/d", "", "a")
  }

  test("a folder has one name, whatever leads to it, there or not") {
    val dir = TempDirs.lasting("place-").toRealPath()
    val real = Files.createDirectories(dir.resolve("a/b"))
    Files.createSymbolicLink(dir.resolve("link"), real)
    for (other <- Seq("a/./b", "a/../a/b", "link", "link/.", "a//b/"); below <- Seq("", "/new", "/new/../new"))
      check(parse(s"file://$dir/$other$below?ns=a"), "file", if (below.isEmpty) s"$real" else s"$real/new", "", "a")
  }

  test("the namespace: either spelling, the last wins, form-decoded, others ignored") {
    for ((query, ns) <- Seq("ns=a" -> "a", "namespace=a" -> "a", "ns=a&namespace=b" -> "b", "namespace=b&ns=a" -> "a", "ns=a&ns=b" -> "b",
        "x=1&ns=a&&y" -> "a", "ns=%61%2Db" -> "a-b", "n%73=a" -> "a", "ns=a&token=%zz%" -> "a", "ns=a?b&ns=c" -> "c",
        "ns=0" -> "0", "ns=a-" -> "a-", "ns=" + "a" * 63 -> "a" * 63))
      assert(parse("file:///d?" + query).paths.namespace == ns, query)
  }

  test("a parameter that looks like a mistyped one is refused, with its name and not its value") {
    for ((query, near) <- Seq("ns=a&NS=b" -> "ns", "nss=a" -> "ns", "ns=a&sn=b" -> "ns", "namspace=a" -> "namespace", "Namespace=a" -> "namespace"))
      for (scheme <- Seq("file:///d?", "memory://m?", "s3://b/p?")) {
        val said = refuse(scheme + query + "&token=hush")
        assert(said.contains(s"Did you mean '$near'?") && !said.contains("hush"), said)
      }
    for ((query, near) <- Seq("regoin=eu" -> "region", "endpoints=x" -> "endpoint", "allow-http=1" -> "allow_http")) {
      assert(refuse("s3://b/p?ns=a&" + query).contains(s"Did you mean '$near'?"))
      assert(parse("file:///d?ns=a&" + query).paths.namespace == "a")
    }
    for (query <- Seq("foo=1", "wal=ignore", "region=x&endpoint=y&allow_http=1", "", "token", "nodes=1"))
      assert(parse("file:///d?ns=a&" + query).paths.namespace == "a", query)
  }

  test("names that are no namespace are refused, so none leads elsewhere") {
    for (bad <- Seq("", "A", "-a", "a_b", "a/b", "..", ".", "a.b", "%2E%2E", "a%2Fb", "a+b", "ü", "a" * 64, "a%00", "a%0A", "a\n", " a"))
      assert(refuse("file:///d?ns=" + bad).contains("no namespace name"), bad)
    assert(refuse("file:///d", Some("../x")).contains("no namespace name"))
    assert(refuse("memory://Not_ok").contains("no namespace name"))
    assert(refuse("file:///d?ns=good&ns=Bad").contains("'Bad'"))
  }

  test("the option namespace completes the URI and may repeat it, not contradict it") {
    check(parse("file:///d", Some("social")), "file", "/d", "", "social")
    check(parse("file:///d?ns=social", Some("social")), "file", "/d", "", "social")
    val e = refuse("file:///d?ns=social", Some("other"))
    assert(e.contains("'social'") && e.contains("'other'"))
    assert(refuse("memory://a", Some("b")).contains("'b'"))
    assert(refuse("file:///d").contains("names no namespace"))
    assert(refuse("s3://bucket/p?region=x").contains("names no namespace"))
  }

  test("memory URIs name store and namespace at once, or both") {
    check(parse("memory://social"), "memory", "social", "", "social")
    check(parse("memory://social", Some("social")), "memory", "social", "", "social")
    check(parse("memory://store?ns=social"), "memory", "store", "", "social")
  }

  test("s3 URIs: prefix or the default root, options into store options, explicit ones win") {
    check(parse("s3://bucket/graphs/prod?ns=a"), "s3", "bucket", "graphs/prod", "a")
    for (uri <- Seq("s3://bucket?ns=a", "s3://bucket/?ns=a", "s3a://bucket?ns=a", "S3A://bucket//?ns=a"))
      check(parse(uri), "s3", "bucket", "tenants", "a")
    check(parse("s3a://my.bucket-1/p/?ns=a&region=eu-west-1&endpoint=http%3A%2F%2Flocalhost%3A9000&allow_http=yes&other=1"), "s3",
      "my.bucket-1", "p", "a", Map("s3.region" -> "eu-west-1", "s3.endpoint" -> "http://localhost:9000", "s3.allow-http" -> "true"))
    for ((text, value) <- Seq("true" -> "true", "1" -> "true", "yes" -> "true", "TRUE" -> "false", "no" -> "false", "" -> "false"))
      assert(parse(s"s3://b?ns=a&allow_http=$text").store.options.get("s3.allow-http") == value)
    check(parse("s3://b/p?ns=a&region=x", options = Map("s3.region" -> "y", "s3.path-style" -> "true", "memory.x" -> "1", "label" -> "P")),
      "s3", "b", "p", "a", Map("s3.region" -> "y", "s3.path-style" -> "true"))
    check(parse("s3://b/p?ns=a#frag?ns=b"), "s3", "b", "p", "a")
    check(parse("file:///d?ns=a&region=x", options = Map("s3.region" -> "y")), "file", "/d", "", "a")
  }

  test("the option root replaces the URI's root and may be empty") {
    check(parse("s3://b?ns=a", root = Some("")), "s3", "b", "", "a")
    check(parse("s3://b/p?ns=a", root = Some("/x/y/")), "s3", "b", "x/y", "a")
    check(parse("s3://b/un usable?ns=a", root = Some("x")), "s3", "b", "x", "a")
    check(parse("file:///d?ns=a", root = Some("tenants")), "file", "/d", "tenants", "a")
    check(parse("memory://a", root = Some("t//u")), "memory", "a", "t/u", "a")
  }

  test("a root in a bucket is the path of a URL, and its keys are encoded once more, as the engine has it") {
    // Seen with both engines.
    for ((text, root, keys) <- Seq(
        ("a b", "a%20b", "a%2520b"), ("a%20b", "a%20b", "a%2520b"), ("a+b", "a+b", "a+b"), ("ü", "%C3%BC", "%25C3%25BC"),
        ("%C3%BC", "%C3%BC", "%25C3%25BC"), ("a b//c d/", "a%20b/c%20d", "a%2520b/c%2520d"), ("a~b", "a~b", "a%7Eb"), ("a[b", "a[b", "a%5Bb"),
        ("a\\b", "a\\b", "a%5Cb"), ("a%2Fb", "a%2Fb", "a%252Fb"), ("a%zz", "a%zz", "a%25zz"), ("a%25b", "a%25b", "a%2525b"),
        ("a:b@c&d='e(1)!$;,", "a:b@c&d='e(1)!$;,", "a:b@c&d='e(1)!$;,"),
        ("a\"b<c>|d^e`{f}*", "a%22b%3Cc%3E|d^e%60%7Bf%7D*", "a%2522b%253Cc%253E%7Cd%5Ee%2560%257Bf%257D%2A"))) {
      for (l <- Seq(parse(s"s3://b/$text?ns=n"), parse("s3://b/other?ns=n", root = Some(text)), parse(s"s3://b/$root?ns=n"))) {
        check(l, "s3", "b", root, "n")
        assert(l.paths.body(1) == s"$keys/n/manifest/v0000000000000001.json")
      }
    }
    check(parse("s3://b?ns=n", root = Some("a?b#c")), "s3", "b", "a%3Fb%23c", "n")
  }

  test("roots that lead elsewhere or cannot be written in a URI are refused") {
    for (bad <- Seq("a/../b", "..", ".", "./a", "a/%2e", "%2E./b")) {
      assert(refuse("file:///d?ns=a", root = Some(bad)).contains("would lead to another folder"), bad)
      assert(refuse(s"s3://b/$bad?ns=a").contains("would lead to another folder"), bad)
    }
    for (bad <- Seq("a\u0000", "a\tb", "a\u007f", "\ud800")) assert(refuse(s"s3://b/$bad?ns=a").contains("control character"), bad)
    for (bad <- Seq("with sp", "with%20sp", "ü", "a\\b", "a*b", "a~b", "a{b}"))
      assert(refuse("file:///d?ns=a", root = Some(bad)).contains("Append it to the folder"), bad)
  }

  test("URIs of no known form say what the known ones are, and never show a secret") {
    assert(refuse("gs://b/p?ns=a").contains("Use file://<folder>?ns=<namespace>"))
    assert(refuse("az://acc/c?ns=a").contains("'az'"))
    for (uri <- Seq("", "/data/graphs", "data", "file:/data?ns=a", "://x", "1s3://b", "file://?ns=a", "s3://?ns=a", "s3:///p?ns=a", "memory://?ns=a",
        "file:///d\u0000?ns=a"))
      refuse(uri)
    val secrets = Seq("s3://AKIAHUSH:hush@bucket/p?ns=a&secret=hush", "s3://hush@/x?ns=BAD&secret=hush", "gs://b?ns=a&token=hush",
      "s3://b/p?secret=hush", "file://?token=hush", "nothing?token=hush", "user:hush@host/x", "s3://b/../q?ns=a&secret=hush",
      "file:///d?ns=a_&token=hush", "file:///d?token=hush")
    for (uri <- secrets) {
      val said = refuse(uri)
      assert(!said.contains("hush"), said)
      assert(!said.contains("HUSH"), said)
    }
    assert(!parse("s3://b?ns=a", options = Map("s3.secret-access-key" -> "hush")).toString.contains("hush"))
    assert(!parse("s3://b?ns=a&endpoint=hush").toString.contains("hush"))
  }

  test("a location crosses to a task and stays equal") {
    val location = parse("s3://b/p?ns=a&region=x", options = Map("s3.path-style" -> "true"))
    val out = new ByteArrayOutputStream
    new ObjectOutputStream(out).writeObject(location)
    assert(new ObjectInputStream(new ByteArrayInputStream(out.toByteArray)).readObject() == location)
  }

  test("file://localhost/… is file:///…, and a folder of that name is written with a dot") {
    for (uri <- Seq("file://localhost/data/graphs?ns=social", "file://LocalHost/data/graphs?ns=social"))
      assert(parse(uri) == parse("file:///data/graphs?ns=social"), uri)
    for ((uri, dir) <- Seq("file://./localhost/x?ns=a" -> "localhost/x", "file://localhosts/x?ns=a" -> "localhosts/x", "file://localhost?ns=a" -> "localhost"))
      check(parse(uri), "file", Path.of(dir).toAbsolutePath.normalize.toString, "", "a")
  }
}
