package com.namidb.format.store.s3

import java.net.{URI, URLDecoder}
import java.nio.charset.StandardCharsets.UTF_8
import java.time.format.DateTimeFormatter
import java.time.temporal.ChronoUnit
import java.time.{Clock, Instant, ZoneOffset}
import java.util.concurrent.ConcurrentHashMap

import scala.util.matching.Regex

/**
 * Shows a server's objects as if they had been written by a clock that a test moves. What came by another way is as old
 * as the epoch.
 */
final class ServerTimes(var clock: Clock) extends FaultProxy.View {
  import ServerTimes._

  private val written = new ConcurrentHashMap[String, Instant]

  /** When an object was last written: its path, with the bucket. */
  private def of(path: String): Instant = written.getOrDefault(path, Instant.EPOCH)

  override def of(method: String, uri: URI, reply: FaultProxy.Reply): FaultProxy.Reply = {
    val now = clock.instant().truncatedTo(ChronoUnit.SECONDS)
    val path = uri.getPath
    val query = Option(uri.getQuery).getOrElse("")
    if (method == "PUT" && reply.status / 100 == 2 && !query.contains("partNumber")) written.put(path, now)
    if (method == "POST" && reply.status == 200 && query.startsWith("uploadId")) written.put(path, now)
    val dated = reply.headers.map {
      case (name, _) if name.equalsIgnoreCase("last-modified") => name -> http(of(path))
      case (name, _) if name.equalsIgnoreCase("date") => name -> http(now)
      case other => other
    }
    val listing = method == "GET" && query.contains("list-type")
    val body = if (listing) dates(path, new String(reply.body, UTF_8)).getBytes(UTF_8) else reply.body
    FaultProxy.Reply(reply.status, dated, body)
  }

  private def dates(bucket: String, xml: String): String = Contents.replaceAllIn(xml, { m =>
    val key = unescaped(Key.findFirstMatchIn(m.matched).get.group(1))
    val at = of(bucket.stripSuffix("/") + "/" + (if (xml.contains("<EncodingType>url")) URLDecoder.decode(key, UTF_8) else key))
    Regex.quoteReplacement(Modified.replaceAllIn(m.matched, s"<LastModified>${at.truncatedTo(ChronoUnit.SECONDS)}</LastModified>"))
  })
}

object ServerTimes {
  private val Contents = "(?s)<Contents>.*?</Contents>".r
  private val Key = "<Key>(.*?)</Key>".r
  private val Modified = "<LastModified>.*?</LastModified>".r
  private val Http = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", java.util.Locale.US)

  private def http(at: Instant): String = Http.format(at.atZone(ZoneOffset.UTC))
  private def unescaped(text: String): String = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}
