package com.namidb.format.store.s3;

import com.namidb.format.store.DeleteReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.DeletedObject;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/**
 * Many deletions in one request, which not every server knows. It may be repeated: deleting twice
 * is deleting once.
 */
final class S3Deletes {
  private static final int NOT_IMPLEMENTED = 501;

  private final S3Clients clients;
  private final String bucket;
  private final S3Results results;
  private volatile boolean unknown;

  S3Deletes(S3Clients clients, String bucket) {
    this.clients = clients;
    this.bucket = bucket;
    results = new S3Results(bucket);
  }

  /**
   * Deletes objects with one request.
   *
   * @return empty if the server refused the request as such, and nothing was deleted
   */
  Optional<DeleteReport> batch(List<String> keys) {
    if (unknown || keys.size() < 2) {
      return Optional.empty();
    }
    try {
      return Optional.of(report(keys, CutAnswer.repeated(clients.attempts(), () -> send(keys))));
    } catch (AwsServiceException e) {
      boolean refused = e.statusCode() >= 400 && e.statusCode() < 500;
      if (!refused && e.statusCode() != NOT_IMPLEMENTED) {
        throw results.failed("delete", keys.get(0), e);
      }
      // Not known, or not allowed: single requests do it, or tell what is wrong.
      unknown = true;
      return Optional.empty();
    } catch (SdkException e) {
      throw results.failed("delete", keys.get(0), e);
    }
  }

  private DeleteObjectsResponse send(List<String> keys) {
    List<ObjectIdentifier> objects =
        keys.stream().map(k -> ObjectIdentifier.builder().key(k).build()).toList();
    // Not quiet: only what the answer names is certainly gone.
    Delete delete = Delete.builder().objects(objects).quiet(false).build();
    return clients.repeating().deleteObjects(r -> r.bucket(bucket).delete(delete));
  }

  private static DeleteReport report(List<String> keys, DeleteObjectsResponse answer) {
    Set<String> gone = new HashSet<>();
    for (DeletedObject deleted : answer.deleted()) {
      gone.add(deleted.key());
    }
    Map<String, String> kept = new HashMap<>();
    for (S3Error error : answer.errors()) {
      kept.put(error.key(), error.code() + (error.message() == null ? "" : ": " + error.message()));
    }
    List<DeleteReport.Failure> failures = new ArrayList<>();
    for (String key : keys) {
      String reason = kept.get(key);
      if ("NoSuchKey".equals(code(reason))) {
        continue;
      }
      if (reason != null || !gone.contains(key)) {
        failures.add(
            new DeleteReport.Failure(
                key, reason == null ? "the answer to a batch leaves it out" : reason));
      }
    }
    return new DeleteReport(1, failures);
  }

  private static String code(String reason) {
    int end = reason == null ? -1 : reason.indexOf(':');
    return end < 0 ? reason : reason.substring(0, end);
  }
}
