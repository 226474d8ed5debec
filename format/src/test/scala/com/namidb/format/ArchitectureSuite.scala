package com.namidb.format

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.domain.{JavaClass, JavaModifier}
import com.tngtech.archunit.core.importer.{ClassFileImporter, ImportOption}
import org.scalatest.funsuite.AnyFunSuite

/** Who may use whom, and how long a file may get. */
class ArchitectureSuite extends AnyFunSuite {
  private val base = "com.namidb.format"

  private val open = Set("id", "error")

  private val allowed: Map[String, Set[String]] = Map(
    "id" -> Set(),
    "error" -> Set("id"),
    "value" -> Set("id", "error"),
    "record" -> Set("id", "value"),
    "store" -> Set("error", "id"),
    "manifest" -> Set("id", "value"),
    "node" -> Set("store", "record", "value"),
    "edge" -> Set("store", "record", "value"),
    "wal" -> Set("store", "record", "value"),
    "merge" -> Set("record"),
    "log" -> Set("store", "manifest"),
    "snapshot" -> Set("log", "manifest", "store"),
    "scan" -> Set("snapshot", "manifest", "node", "edge", "wal", "merge", "record", "value", "store"),
    "stage" -> Set("manifest", "node", "edge", "record", "value", "store"),
    "commit" -> Set("log", "snapshot", "stage", "manifest", "node", "edge", "wal", "merge", "record", "store"),
    "validate" -> Set("commit", "scan", "stage", "snapshot", "manifest", "record", "store"),
    "retention" -> Set("snapshot", "log", "manifest", "store", "stage", "commit")
  )

  private val home = Map(
    "org.apache.parquet" -> Set("node"),
    "com.fasterxml.jackson" -> Set("manifest", "snapshot", "log", "commit", "value", "wal"),
    "org.apache.hadoop" -> Set("node"),
    "org.apache.spark" -> Set.empty[String],
    "scala" -> Set.empty[String],
    "software.amazon.awssdk" -> Set("store.s3")
  )

  private val module: Path =
    Paths.get(classOf[ArchitectureSuite].getProtectionDomain.getCodeSource.getLocation.toURI).getParent.getParent

  private lazy val classes: Seq[JavaClass] =
    new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPath(module.resolve("target/classes")).asScala.toSeq

  private def inside(name: String, pkg: String): Boolean = name == pkg || name.startsWith(pkg + ".")

  /** The package below `com.namidb.format`, or below it and one of its packages. */
  private def top(pkg: String): String = pkg.stripPrefix(base).stripPrefix(".").takeWhile(_ != '.')

  private def uses: Seq[(JavaClass, JavaClass)] = for {
    c <- classes
    d <- c.getDirectDependenciesFromSelf.asScala.toSeq
  } yield (c, d.getTargetClass.getBaseComponentType)

  private def noneOf(problems: Iterable[String]): Unit =
    assert(problems.isEmpty, problems.toSeq.distinct.sorted.mkString("\n", "\n", "\n"))

  test("packages use each other in the allowed directions only") {
    assert(classes.size > 40, "the classes were not found")
    noneOf(classes.map(c => top(c.getPackageName)).filterNot(allowed.contains).map(p => s"package $p has no place in the table"))
    noneOf(for {
      (c, d) <- uses if inside(d.getPackageName, base)
      (from, to) = (top(c.getPackageName), top(d.getPackageName))
      if from != to && !open(to) && !allowed.getOrElse(from, Set.empty)(to)
    } yield s"$from uses $to: ${c.getName} -> ${d.getName}")
  }

  test("the table itself has no cycle apart from the open packages") {
    def reach(from: String, seen: Set[String]): Set[String] =
      (allowed(from) -- open).foldLeft(seen)((s, p) => if (s(p)) s else reach(p, s + p))
    noneOf(allowed.keys.filter(p => reach(p, Set.empty)(p)).map(p => s"$p reaches itself"))
  }

  test("no package uses a store's implementation but the one that opens it") {
    val implementations = Seq("local", "memory", "s3").map(n => s"$base.store.$n")
    noneOf(for {
      (c, d) <- uses
      implementation <- implementations.find(inside(d.getPackageName, _))
      if !inside(c.getPackageName, implementation) && !inside(c.getPackageName, s"$base.store.open")
    } yield s"${c.getName} -> ${d.getName}")
  }

  test("foreign types stay in their packages; none of Spark or Scala appears at all") {
    noneOf(for {
      (c, d) <- uses
      (foreign, homes) <- home if inside(d.getPackageName, foreign)
      if !homes.exists(h => inside(c.getPackageName, s"$base.$h"))
    } yield s"$foreign: ${c.getName} -> ${d.getName}")
  }

  test("no Hadoop type is in a public signature") {
    noneOf(for {
      c <- classes if c.getModifiers.contains(JavaModifier.PUBLIC)
      m <- c.getCodeUnits.asScala if m.getModifiers.contains(JavaModifier.PUBLIC)
      t <- m.getRawParameterTypes.asScala :+ m.getRawReturnType if inside(t.getPackageName, "org.apache.hadoop")
    } yield s"${m.getFullName}: ${t.getName}")
  }

  test("files are touched by the local store, and by writers that spool, only") {
    noneOf(for {
      (c, d) <- uses if inside(d.getPackageName, "java.nio.file") || d.getName.matches("java\\.io\\.(File|RandomAccessFile).*")
      if !inside(c.getPackageName, s"$base.store.local")
      // Sections of a file of unknown size wait in a temporary file.
      if !inside(c.getPackageName, s"$base.edge") && !inside(c.getPackageName, s"$base.stage")
      // A path without I/O, to make a relative directory absolute.
      if !(c.getName == s"$base.snapshot.LocationParser" && d.getSimpleName.matches("Path|InvalidPathException"))
    } yield s"${c.getName} -> ${d.getName}")
  }

  test("no class is named Utils, Util, Manager or Impl") {
    noneOf(classes.map(_.getSimpleName).filter(_.matches(".*(Utils?|Manager|Impl)")))
  }

  test("every package says what it is for") {
    val roots = files("src/main/java", ".java").groupBy(_.getParent)
    noneOf(roots.collect { case (dir, in) if !in.exists(_.endsWith("package-info.java")) => s"$dir has no package-info.java" })
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
