package org.apache.spark

/** Spark's listeners are told later, by threads of their own: tests have to wait for them. Only Spark's packages may. */
object Buses {
  def drain(context: SparkContext): Unit = context.listenerBus.waitUntilEmpty()
}
