package com.namidb.format.store.s3

/** The contract of stores on MinIO; cancelled, saying so, where no Docker engine is. */
class MinioStoreSuite extends S3StoreTests(S3Server.minio())
