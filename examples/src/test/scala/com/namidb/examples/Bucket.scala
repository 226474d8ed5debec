package com.namidb.examples

import java.io.{ByteArrayOutputStream, PrintStream}

import com.namidb.format.store.s3.S3Server

/** A bucket for the examples, and what they print. */
object Bucket {
  /** As in the README: the store in the URI, the keys where AWS programs look for them. */
  def uri(): String = {
    sys.props ++= Seq("aws.accessKeyId" -> S3Server.AccessKey, "aws.secretAccessKey" -> S3Server.SecretKey)
    s"s3://${S3Server.shared.bucket().place}/graphs?region=us-east-1&endpoint=${S3Server.shared.endpoint}&allow_http=true"
  }

  def printed(example: => Unit): String = {
    val out = new ByteArrayOutputStream
    val console = System.out
    System.setOut(new PrintStream(out, true, "UTF-8"))
    try example finally System.setOut(console)
    out.toString("UTF-8")
  }
}
