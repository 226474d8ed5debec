package com.namidb.spark.engine

import com.namidb.spark.SparkSuite
import org.apache.spark.sql.DataFrame

/** For suites that read whole graphs: nothing is refused for the case of its name, times come exactly. */
trait GraphSuite extends SparkSuite {
  override def conf: Map[String, String] =
    Map("spark.sql.datetime.java8API.enabled" -> "true", "spark.sql.caseSensitive" -> "true")

  def read(uri: String, version: Option[Long], options: (String, String)*): DataFrame = {
    val r = spark.read.format("namidb").options(options.toMap)
    version.fold(r)(v => r.option("versionAsOf", v)).load(uri)
  }
}
