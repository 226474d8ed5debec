package com.namidb.format.store.s3;

import com.namidb.format.error.S3Errors;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.PutResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * A large object on its way: one PUT if it fits one part, else parts. Holds one part in memory.
 * Parts may be repeated; what makes the object visible is conditional and sent once.
 */
final class S3Upload implements ObjectUpload {
  private static final int MAX_PARTS = 10_000;

  private final S3Clients clients;
  private final S3Writes writes;
  private final S3Results results;
  private final Target target;
  private final List<CompletedPart> parts = new ArrayList<>();
  private byte[] buffer = new byte[1 << 16];
  private int filled;
  private String uploadId;
  private boolean open = true;

  /**
   * What is uploaded to.
   *
   * @param bucket bucket
   * @param key object
   * @param partBytes size of all parts but the last
   * @param encryption asked for when the upload starts
   */
  record Target(String bucket, String key, int partBytes, S3Settings.Encryption encryption) {}

  S3Upload(S3Clients clients, S3Writes writes, Target target) {
    this.clients = clients;
    this.writes = writes;
    this.target = target;
    results = new S3Results(target.bucket());
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    checkOpen();
    int from = offset;
    int left = length;
    while (left > 0) {
      if (filled == target.partBytes()) {
        flush();
      }
      int n = Math.min(left, target.partBytes() - filled);
      grow(filled + n);
      System.arraycopy(bytes, from, buffer, filled, n);
      filled += n;
      from += n;
      left -= n;
    }
  }

  private void grow(int needed) {
    if (needed > buffer.length) {
      int size = Math.max(needed, Math.min(target.partBytes(), buffer.length * 4));
      buffer = java.util.Arrays.copyOf(buffer, size);
    }
  }

  @Override
  public PutResult finish() {
    checkOpen();
    open = false;
    if (uploadId == null) {
      byte[] body = java.util.Arrays.copyOf(buffer, filled);
      buffer = null;
      return writes.ifAbsent(target.key(), body);
    }
    try {
      flush();
      buffer = null;
      PutResult result = results.write("create", target.key(), this::complete);
      if (result instanceof PutResult.Written) {
        uploadId = null;
      }
      return result;
    } finally {
      abort();
    }
  }

  private void flush() {
    S3Client client = clients.repeating();
    try {
      if (uploadId == null) {
        uploadId = CutAnswer.repeated(clients.attempts(), () -> begin(client));
      }
      int number = parts.size() + 1;
      if (number > MAX_PARTS) {
        throw S3Errors.tooManyParts(target.key(), MAX_PARTS, target.partBytes());
      }
      String crc = S3Writes.crc32(buffer, 0, filled);
      String etag =
          client
              .uploadPart(
                  r ->
                      r.bucket(target.bucket())
                          .key(target.key())
                          .uploadId(uploadId)
                          .partNumber(number)
                          .checksumCRC32(crc),
                  // A copy inside the SDK would double what a task holds; nothing changes these
                  // bytes before the call returns.
                  RequestBody.fromRemainingByteBuffer(java.nio.ByteBuffer.wrap(buffer, 0, filled)))
              .eTag();
      parts.add(CompletedPart.builder().partNumber(number).eTag(etag).checksumCRC32(crc).build());
      filled = 0;
    } catch (SdkException e) {
      throw results.failed("write a part of", target.key(), e);
    }
  }

  private String begin(S3Client client) {
    return client
        .createMultipartUpload(
            r ->
                r.bucket(target.bucket())
                    .key(target.key())
                    .checksumAlgorithm(ChecksumAlgorithm.CRC32)
                    .serverSideEncryption(target.encryption().kind())
                    .ssekmsKeyId(target.encryption().kmsKey()))
        .uploadId();
  }

  private PutResult complete(AtomicBoolean sent) {
    return new PutResult.Written(
        Etags.kept(
            clients
                .once()
                .completeMultipartUpload(
                    r ->
                        r.bucket(target.bucket())
                            .key(target.key())
                            .uploadId(uploadId)
                            .ifNoneMatch("*")
                            .multipartUpload(u -> u.parts(parts))
                            .overrideConfiguration(
                                o -> o.putExecutionAttribute(SentMark.ATTRIBUTE, sent)))
                .eTag()));
  }

  private void checkOpen() {
    if (!open) {
      throw new IllegalStateException("the upload of " + target.key() + " is over");
    }
  }

  @Override
  public void close() {
    open = false;
    buffer = null;
    abort();
  }

  /** Frees the parts; after this nothing of it can become visible any more. */
  private void abort() {
    String id = uploadId;
    uploadId = null;
    if (id == null) {
      return;
    }
    try {
      clients
          .repeating()
          .abortMultipartUpload(
              r ->
                  r.bucket(target.bucket())
                      .key(target.key())
                      .uploadId(id)
                      .overrideConfiguration(o -> o.apiCallTimeout(Duration.ofMinutes(1))));
    } catch (SdkException e) {
      return; // the bucket's rule for unfinished uploads removes them
    }
  }
}
