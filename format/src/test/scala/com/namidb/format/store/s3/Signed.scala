package com.namidb.format.store.s3

import java.io.ByteArrayInputStream
import java.net.URI

import scala.jdk.CollectionConverters._

import software.amazon.awssdk.http.auth.aws.signer.{AwsV4FamilyHttpSigner, AwsV4HttpSigner}
import software.amazon.awssdk.http.{SdkHttpFullRequest, SdkHttpMethod}
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity

/** Signs a request that was changed on its way. */
private[s3] object Signed {
  private val Old = Set("authorization", "x-amz-date", "x-amz-content-sha256", "content-length", "host")
  private val signer = AwsV4HttpSigner.create()
  private val keys = AwsCredentialsIdentity.create(S3Server.AccessKey, S3Server.SecretKey)

  /** The headers to send. */
  def apply(method: String, to: URI, headers: Seq[(String, String)], body: Array[Byte]): Seq[(String, String)] = {
    val request = SdkHttpFullRequest.builder().uri(to).method(SdkHttpMethod.fromValue(method))
    for ((name, v) <- headers if !Old(name)) request.appendHeader(name, v)
    val signed = signer.sign { r =>
      r.identity(keys).request(request.build()).payload(() => new ByteArrayInputStream(body))
        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
        .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, java.lang.Boolean.FALSE)
        .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, java.lang.Boolean.FALSE): Unit
    }
    signed.request.headers.asScala.toSeq.flatMap { case (name, values) => values.asScala.map(name.toLowerCase -> _) }
      .filterNot { case (name, _) => name == "host" || name == "content-length" }
  }
}
