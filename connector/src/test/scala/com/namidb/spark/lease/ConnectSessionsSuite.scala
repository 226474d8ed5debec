package com.namidb.spark.lease

import com.namidb.spark.procedure.CatalogFixture
import com.namidb.spark.Place
import org.apache.spark.scheduler.SparkListenerEvent
import org.apache.spark.sql.SparkSession
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

/** As Spark Connect posts it, which is not on the tests' class path. */
case class SparkListenerConnectSessionClosed(sessionId: String, userId: String, eventTime: Long) extends SparkListenerEvent

case class SparkListenerConnectSessionStarted(sessionId: String, userId: String, eventTime: Long) extends SparkListenerEvent

/** A client's session that ends gives its pins back, and those of no other session. */
class ConnectSessionsSuite extends CatalogFixture with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(20, Millis))

  private def leases(p: Place): Long = p.leases().size.toLong

  /** Pins as an operation of a client does. */
  private def pin(s: SparkSession, user: String, session: String): Unit = {
    val tag = s"SparkConnect_OperationTag_User_${user}_Session_${session}_Operation_${session.hashCode}"
    s.sparkContext.addJobTag(tag)
    try s.sql("CALL nami.system.pin(namespace => 'g', version => 1)").collect()
    finally s.sparkContext.removeJobTag(tag)
  }

  private def post(event: SparkListenerEvent): Unit = new ConnectSessions(o => NotebookPins.ended(o)).onOtherEvent(event)

  test("the pins of a session that ends are given back, though the session is still reachable") {
    withGraph { (p, s) =>
      val (a, b, c) = (session(p), session(p), s)
      pin(a, "ann", "1")
      pin(b, "ann", "12")
      c.sql("CALL nami.system.pin(namespace => 'g', version => 1)").collect()
      assert(leases(p) == 3)
      post(SparkListenerConnectSessionStarted("1", "ann", 0))
      post(SparkListenerConnectSessionClosed("1", "bob", 0))
      assert(leases(p) == 3)
      post(SparkListenerConnectSessionClosed("1", "ann", 0))
      eventually(assert(leases(p) == 2))
      def rows(x: SparkSession) = x.sql("SELECT count(*) FROM nami.g.nodes.P").head().getLong(0)
      assert(rows(a) == 5 && rows(b) == 3 && rows(c) == 3)
      post(SparkListenerConnectSessionClosed("12", "ann", 0))
      eventually(assert(leases(p) == 1))
      c.sql("CALL nami.system.unpin('g')").collect()
      assert(leases(p) == 0)
    }
  }
}
