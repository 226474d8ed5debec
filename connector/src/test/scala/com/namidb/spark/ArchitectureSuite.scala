package com.namidb.spark

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.importer.{ClassFileImporter, ImportOption}
import org.scalatest.funsuite.AnyFunSuite

/** Which packages of the connector may use which, and how long a file may get. */
class ArchitectureSuite extends AnyFunSuite {
  private val base = "com.namidb.spark"

  /** Packages by their names below `com.namidb.spark`; the root's is empty. */
  private val allowed: Map[String, Set[String]] = {
    val low = Set("lease", "types", "options", "metrics")
    Map(
      "types" -> Set(),
      "metrics" -> Set(),
      "options" -> Set("types"),
      "lease" -> Set("options"),
      "function" -> Set("types"),
      "read" -> low,
      "write.row" -> (low + "read"),
      "write.quarantine" -> (low + "read" + "write.row"),
      "write.task" -> (low + "read" + "write.row" + "write.quarantine"),
      "write.removal" -> (low + "read" + "write.row" + "write.task"),
      "write.check" -> (low + "read" + "write.row" + "write.quarantine" + "write.task"),
      "write.publish" -> (low ++ Set("read", "write.row", "write.quarantine", "write.task", "write.removal", "write.check")),
      "write.delta" -> (low ++ Set("read", "write.row", "write.task", "write.publish")),
      "write" -> (low ++ Set("read", "write.row", "write.quarantine", "write.task", "write.publish")),
      "rowlevel" -> (low ++ Set("read", "write.delta")),
      "job" -> Set("options", "write.publish"),
      "metadata" -> (low ++ Set("read", "job")),
      "procedure" -> (low ++ Set("read", "job", "metadata", "write", "write.check")),
      "catalog" -> (low ++ Set("function", "metadata", "read", "rowlevel", "write")),
      "" -> (low ++ Set("catalog", "function", "metadata", "procedure")),
      "source" -> (low + "catalog")
    )
  }

  private val module: Path =
    Paths.get(classOf[ArchitectureSuite].getProtectionDomain.getCodeSource.getLocation.toURI).getParent.getParent

  private lazy val classes = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
    .importPath(module.resolve("target/classes")).asScala.toSeq

  private def below(pkg: String): String = pkg.stripPrefix(base).stripPrefix(".")

  private def noneOf(problems: Iterable[String]): Unit =
    assert(problems.isEmpty, problems.toSeq.distinct.sorted.mkString("\n", "\n", "\n"))

  test("packages use each other in the allowed directions only") {
    assert(classes.size > 40, "the classes were not found")
    noneOf(classes.map(c => below(c.getPackageName)).filterNot(allowed.contains).map(p => s"package $p has no place in the table"))
    noneOf(for {
      c <- classes
      d <- c.getDirectDependenciesFromSelf.asScala.map(_.getTargetClass.getBaseComponentType)
      if d.getPackageName == base || d.getPackageName.startsWith(base + ".")
      (from, to) = (below(c.getPackageName), below(d.getPackageName))
      if from != to && !allowed(from)(to)
    } yield s"$from uses $to: ${c.getName} -> ${d.getName}")
  }

  test("the table itself has no cycle") {
    def reach(from: String, seen: Set[String]): Set[String] =
      allowed(from).foldLeft(seen)((s, p) => if (s(p)) s else reach(p, s + p))
    noneOf(allowed.keys.filter(p => reach(p, Set.empty)(p)).map(p => s"$p reaches itself"))
  }

  test("no class is named Utils, Util, Manager or Impl") {
    noneOf(classes.map(_.getSimpleName).filter(_.matches(".*(Utils?|Manager|Impl)")))
  }

  test("every package says what it is for") {
    noneOf(files("src/main/java", ".java").groupBy(_.getParent).collect {
      case (dir, in) if !in.exists(_.endsWith("package-info.java")) => s"$dir has no package-info.java"
    })
  }

  test("files have at most 500 lines, and more than 300 are told of") {
    val lengths = (files("src/main/java", ".java") ++ files("src/test/scala", ".scala"))
      .map(f => module.relativize(f) -> Files.readAllLines(f).size)
    assert(lengths.size > 40, "the sources were not found")
    lengths.filter(_._2 > 300).sortBy(-_._2).foreach { case (f, n) => info(s"$n lines: $f") }
    noneOf(lengths.filter(_._2 > 500).map { case (f, n) => s"$f has $n lines" })
  }

  private def files(dir: String, suffix: String): Seq[Path] = {
    val all = Files.walk(module.resolve(dir))
    try all.iterator.asScala.filter(_.toString.endsWith(suffix)).toSeq
    finally all.close()
  }
}
