package com.namidb.spark.engine

import org.apache.spark.sql.SparkSession

/** Reads a namespace in a session that serialises with Kryo; prints counts. */
object KryoRead {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().master("local[2]")
      .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
      .config("spark.kryo.registrationRequired", "false")
      .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2").config("spark.sql.caseSensitive", "true").getOrCreate()
    try {
      def df(o: (String, String)*) = spark.read.format("namidb").options(o.toMap).load(args(0))
      for (v <- Seq("true", "false"); t <- Seq("label", "type")) {
        val all = df(t -> "*", "vectorized" -> v)
        println(s"$t $v rows=${all.collect().length} distinct=${all.distinct().count()}")
        // Through an RDD cached in serialised form, that is through Kryo.
        val kept = all.rdd.map(_.mkString("|")).persist(org.apache.spark.storage.StorageLevel.MEMORY_ONLY_SER)
        println(s"$t $v kept=${kept.count()}")
      }
      println("metadata=" + df("metadata" -> "ssts").collect().length)
    } finally spark.stop()
  }
}
