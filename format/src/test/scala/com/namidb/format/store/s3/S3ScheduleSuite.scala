package com.namidb.format.store.s3

import java.time.Duration

import scala.util.Random

import com.namidb.format.manifest.Layout
import com.namidb.format.retention.MovedClock
import org.scalatest.funsuite.AnyFunSuite

/**
 * Random schedules of writers, readers and sweeps on a real server, behind a proxy that loses requests and answers, cuts
 * bodies, answers 500, 503 and 409, lets writes arrive late or twice, with clocks that differ. Never a wrong row, a lost
 * commit that was acknowledged, one that was said not to be and is, or a deleted file that is needed.
 */
class S3ScheduleSuite extends AnyFunSuite {
  private val count = sys.props.get("s3.schedules").filter(_.nonEmpty).map(_.toInt).getOrElse(50)
  private val first = sys.props.get("s3.seed").filter(s => s.nonEmpty && s != "random").map(_.toInt).getOrElse(new Random().nextInt(1000000))
  // Every failure comes at once: nothing is waited for but a request that is in the middle of another.
  private val timing = new S3Timing(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMinutes(1), 3, Duration.ofMillis(1))

  for (layout <- Layout.values) test(s"$layout: $count schedules (-Ds3.seed=$first)") {
    val server = S3Server.shared
    val time = new MovedClock
    val times = new ServerTimes(time)
    val proxy = new FaultProxy(server.endpoint, server.signed, times)
    val calm = new FaultProxy(server.endpoint, server.signed, times)
    val counts = new S3Schedule.Counts
    var requests = 0
    val begun = System.nanoTime
    try for (seed <- first until first + count) {
      val bucket = server.bucket()
      val clock = new MovedClock
      times.clock = clock
      val store = S3Store.open(server.through(proxy, bucket), new S3Store.Paging(50, 5 << 20), timing)
      val truth = S3Store.open(server.through(calm, bucket), new S3Store.Paging(1000, 5 << 20), timing)
      val schedule = new S3Schedule(seed, layout, s"s$seed", store, truth, clock, counts)
      proxy.chance = schedule.chaos
      try schedule.run()
      catch {
        case e: Throwable if !e.isInstanceOf[VirtualMachineError] =>
          throw new AssertionError(s"-Ds3.seed=$seed -Ds3.schedules=1 ($layout): ${e.getMessage}\n${schedule.done.mkString("\n")}", e)
      } finally {
        if ((seed - first + 1) % 250 == 0) info(s"${seed - first + 1} done: $counts")
        requests += proxy.lines.size + calm.lines.size
        proxy.forget()
        calm.forget()
        proxy.heal()
        store.close()
        truth.close()
      }
    } finally { proxy.close(); calm.close() }
    info(s"$counts; $requests requests; ${(System.nanoTime - begun) / 1000000 / count} ms each")
    if (count >= 50) assert(counts.acknowledged > count && counts.reads > count && counts.deleted > count && counts.faults.size >= 10)
  }
}
