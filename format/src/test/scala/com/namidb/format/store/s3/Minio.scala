package com.namidb.format.store.s3

import org.scalatest.Assertions
import org.testcontainers.DockerClientFactory
import org.testcontainers.containers.MinIOContainer

/** MinIO in a container that ends with this JVM. */
object Minio extends Assertions {
  private val Image = "minio/minio:RELEASE.2025-04-22T22-12-26Z"

  lazy val hasDocker: Boolean = DockerClientFactory.instance.isDockerAvailable

  def assumeDocker(): Unit = if (!hasDocker) cancel("There is no Docker engine here, so MinIO was not started; nothing of it was tested")

  lazy val shared: S3Server = {
    val container = new MinIOContainer(Image).withUserName(S3Server.AccessKey).withPassword(S3Server.SecretKey)
    container.start()
    sys.addShutdownHook(container.stop())
    new S3Server(container.getS3URL, signed = true)
  }
}
