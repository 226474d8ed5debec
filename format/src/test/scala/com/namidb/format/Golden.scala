package com.namidb.format

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

/** The namespaces the real engine wrote, and its answers. See `golden/README.md` among the test resources. */
object Golden {
  /** One recorded version of one namespace. `version` is empty for the current one. */
  case class At(version: Option[Long], nodes: Seq[Canon.Node], edges: Seq[Canon.Edge])

  /**
   * A namespace and its recorded answers.
   *
   * @param home where the answers lie
   * @param store the folder that `file://<store>?ns=<ns>` names
   */
  case class Case(name: String, home: Path, store: Path, ns: String, base64: Boolean) {
    def folder: Path = store.resolve(ns)

    def uri: String = s"file://$store?ns=$ns"

    def recorded: Seq[At] = {
      val older =
        if (base64) list(home.resolve("at")).map(d => at(Some(d.getFileName.toString.drop(1).toLong), d, ""))
        else list(home).map(_.getFileName.toString).collect { case Versioned(n) => at(Some(n.toLong), home, s".v$n") }
      at(None, home, "") +: older
    }

    private def at(version: Option[Long], dir: Path, infix: String) = At(version,
      lines(dir.resolve(s"expected-nodes$infix.jsonl")).map(Canon.node(_, base64)),
      (lines(dir.resolve(s"expected-edges$infix.jsonl")) ++ lines(dir.resolve("dangling-edges.jsonl")))
        .map(Canon.edge(_, base64)))

    private def lines(p: Path) =
      if (!Files.exists(p)) Nil
      else Files.readAllLines(p).asScala.filter(_.nonEmpty).map(Canon.mapper.readTree(_: String)).toSeq

    /** A private copy, for whoever writes into it: a lease is a write too. */
    def copied(): Case = {
      val to = com.namidb.format.store.TempDirs.lasting("golden-")
      copyTree(folder, to.resolve(ns))
      copy(store = to)
    }
  }

  private val Versioned = "expected-nodes\\.v(\\d+)\\.jsonl".r

  val root: Path = Paths.get(sys.props.getOrElse("golden.dir",
    throw new IllegalStateException("run the tests through Maven: golden.dir is not set")))

  private def list(p: Path): Seq[Path] =
    if (!Files.isDirectory(p)) Nil
    else {
      val s = Files.list(p)
      try s.iterator.asScala.toSeq.sortBy(_.getFileName.toString) finally s.close()
    }

  lazy val cases: Seq[Case] =
    list(root).filter(p => Files.isDirectory(p.resolve("ns")))
      .map(p => Case(p.getFileName.toString, p, p, "ns", base64 = false)) ++
      list(root.resolve("cases")).filter(Files.isDirectory(_))
        .map(p => Case(p.getFileName.toString, p, p.resolve("ns"), p.getFileName.toString, base64 = true))

  def apply(name: String): Case = cases.find(_.name == name).get

  def copyTree(from: Path, to: Path): Unit = {
    val s = Files.walk(from)
    try s.iterator.asScala.foreach { p =>
      val q = to.resolve(from.relativize(p).toString)
      if (Files.isDirectory(p)) Files.createDirectories(q) else Files.copy(p, q)
    }
    finally s.close()
  }

  /** Leases that are released meanwhile do no harm. */
  def deleteTree(root: Path): Unit = store.TempDirs.remove(root)
}
