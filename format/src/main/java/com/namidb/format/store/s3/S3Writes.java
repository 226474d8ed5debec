package com.namidb.format.store.s3;

import com.namidb.format.store.PutResult;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Objects written by one request. */
final class S3Writes {
  private final S3Clients clients;
  private final String bucket;
  private final S3Settings.Encryption encryption;
  private final S3Results results;

  S3Writes(S3Clients clients, String bucket, S3Settings.Encryption encryption) {
    this.clients = clients;
    this.bucket = bucket;
    this.encryption = encryption;
    results = new S3Results(bucket);
  }

  /** With {@code If-None-Match: *}, sent once. */
  PutResult ifAbsent(String key, byte[] body) {
    return put(clients.once(), "create", key, body, r -> r.ifNoneMatch("*"));
  }

  /** With {@code If-Match}, sent once. */
  PutResult ifMatch(String key, byte[] body, String etag) {
    return put(clients.once(), "replace", key, body, r -> r.ifMatch(Etags.sent(etag)));
  }

  /** Without a condition, so that it may be repeated. */
  PutResult always(String key, byte[] body) {
    return put(clients.repeating(), "write", key, body, r -> {});
  }

  private PutResult put(
      S3Client client,
      String request,
      String key,
      byte[] body,
      Consumer<PutObjectRequest.Builder> condition) {
    return results.write(
        request,
        key,
        sent ->
            new PutResult.Written(
                Etags.kept(
                    client
                        .putObject(
                            r -> {
                              r.bucket(bucket).key(key).checksumCRC32(crc32(body, 0, body.length));
                              r.serverSideEncryption(encryption.kind());
                              r.ssekmsKeyId(encryption.kmsKey());
                              marked(r, sent);
                              condition.accept(r);
                            },
                            RequestBody.fromBytes(body))
                        .eTag())));
  }

  private static void marked(PutObjectRequest.Builder request, AtomicBoolean sent) {
    request.overrideConfiguration(o -> o.putExecutionAttribute(SentMark.ATTRIBUTE, sent));
  }

  /** As the header has it. */
  static String crc32(byte[] bytes, int offset, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, offset, length);
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
