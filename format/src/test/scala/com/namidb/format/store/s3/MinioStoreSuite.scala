package com.namidb.format.store.s3

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.{DoNotDiscover, Suites}

/** The contract of stores on MinIO; cancelled, saying so, where no Docker engine is. */
class MinioStoreSuite extends Suites(if (Minio.hasDocker) new MinioContractSuite else new NoMinioSuite)

@DoNotDiscover
class MinioContractSuite extends S3StoreTests(S3Server.minio())

@DoNotDiscover
class NoMinioSuite extends AnyFunSuite {
  test("MinIO in a container")(Minio.assumeDocker())
}
