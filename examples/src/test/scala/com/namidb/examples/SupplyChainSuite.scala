package com.namidb.examples

import java.nio.file.{Path, Paths}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.SparkSession
import org.scalatest.funsuite.AnyFunSuite

/** The example says what the engine itself answered when the namespace was made. */
class SupplyChainSuite extends AnyFunSuite {
  private val data: Path = Paths.get(sys.props("examples.dir"), "data")

  test("the example's answers are the engine's, at each snapshot") {
    val copy = ScratchCopy.of(data)
    val spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "2").config("spark.driver.host", "127.0.0.1")
      .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    try {
      val doc = new ObjectMapper().readTree(data.resolve("snapshots.json").toFile)
      assert(doc.get("snapshots").size == 3)
      for (s <- doc.get("snapshots").asScala) {
        val graph = new SupplyChain(spark, s"file://$copy?ns=supply-chain", s.get("version").longValue)
        val want = s.get("answers")
        def names(n: com.fasterxml.jackson.databind.JsonNode) = n.elements.asScala.map(_.textValue).toSeq
        assert(graph.direct().select("service").collect().map(_.getString(0)).sorted.toSeq == names(want.get("direct")))
        assert(graph.indirect().collect().map(_.getString(0)).sorted.toSeq == names(want.get("indirect")))
        val teams = graph.exposedTeams().collect().map(r => r.getString(0) -> r.getSeq[String](2)).toMap
        assert(teams == want.get("teams").properties.asScala.map(e => e.getKey -> names(e.getValue)).toMap)
      }
    } finally spark.stop()
  }

  private val said = Seq("Platform    3", "2 Monday          62", "4 Wednesday       62", "9 Friday          25", "31 services left")

  test("the example runs from end to end and prints its tables") {
    val text = Bucket.printed(TimeTravelDemo.main(Array(data.toString)))
    for (s <- said) assert(text.contains(s), text)
  }

  test("with the URI of a bucket it brings the graph there, once, and says the same") {
    val uri = Bucket.uri()
    for (_ <- 1 to 2) {
      val text = Bucket.printed(TimeTravelDemo.main(Array(data.toString, uri)))
      for (s <- said) assert(text.contains(s), text)
    }
  }
}
