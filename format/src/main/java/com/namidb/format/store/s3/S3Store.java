package com.namidb.format.store.s3;

import com.namidb.format.error.StoreException;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.DeleteReport;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectKeys;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in one bucket. Reads, listings, deletes and parts of uploads are repeated when a failure
 * may pass; conditional writes are sent once. A batch of deletes that a server does not know
 * becomes single ones. Source: contract §2, design §7.
 */
public final class S3Store implements ObjectStore {
  private static final int DEFAULT_PAGE_SIZE = 1000;
  private static final int PART_BYTES = 8 << 20;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  private final S3Clients clients;
  private final String bucket;
  private final S3Settings settings;
  private final Paging paging;
  private final S3Results results;
  private final S3Writes writes;
  private final S3Deletes deletes;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /**
   * Sizes that only tests change.
   *
   * @param page objects or folders per page of a listing
   * @param part bytes of a part of an upload
   */
  record Paging(int page, int part) {
    static final Paging DEFAULT = new Paging(DEFAULT_PAGE_SIZE, PART_BYTES);
  }

  private S3Store(S3Settings settings, String bucket, Paging paging, S3Timing timing) {
    this.settings = settings;
    this.bucket = bucket;
    this.paging = paging;
    clients = S3Clients.acquire(settings, timing);
    results = new S3Results(bucket);
    writes = new S3Writes(clients, bucket, settings.encryption());
    deletes = new S3Deletes(clients, bucket);
  }

  /**
   * Opens a bucket; makes no request.
   *
   * @throws com.namidb.format.error.InvalidOptionException if an option has no sense
   */
  public static S3Store open(StoreConfig config) {
    return open(config, Paging.DEFAULT, S3Timing.DEFAULT);
  }

  /** With sizes and times of its own. */
  static S3Store open(StoreConfig config, Paging paging, S3Timing timing) {
    return new S3Store(S3Settings.of(config), config.place(), paging, timing);
  }

  @Override
  public Optional<ObjectMeta> head(String key) {
    ObjectKeys.check(key);
    return found("look at", key, () -> reading().headObject(r -> r.bucket(bucket).key(key)))
        .map(h -> meta(key, h));
  }

  private static ObjectMeta meta(String key, HeadObjectResponse h) {
    return new ObjectMeta(key, h.contentLength(), Etags.kept(h.eTag()), millis(h.lastModified()));
  }

  @Override
  public Optional<StoredObject> get(String key) {
    ObjectKeys.check(key);
    return found(
            "read",
            key,
            () -> reading().getObject(r -> r.bucket(bucket).key(key), new WholeBody(key)))
        .map(
            read ->
                new StoredObject(
                    new ObjectMeta(
                        key,
                        read.bytes.length,
                        Etags.kept(read.response.eTag()),
                        millis(read.response.lastModified())),
                    read.bytes));
  }

  @Override
  public Optional<byte[]> getRange(String key, ByteRange range) {
    ObjectKeys.check(key);
    String header = "bytes=" + range.offset() + "-" + (range.end() - 1);
    return found(
            "read",
            key,
            () -> {
              try {
                return reading()
                    .getObject(r -> r.bucket(bucket).key(key).range(header), new RangeBody(range));
              } catch (AwsServiceException e) {
                if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                  return Optional.<byte[]>empty();
                }
                throw e;
              }
            })
        .flatMap(bytes -> bytes);
  }

  @Override
  public PutResult putIfAbsent(String key, byte[] body) {
    ObjectKeys.check(key);
    return writes.ifAbsent(key, body);
  }

  @Override
  public PutResult putIfMatch(String key, byte[] body, String etag) {
    ObjectKeys.check(key);
    // No object has an empty tag; stores differ in what they make of it.
    return etag.isEmpty() ? new PutResult.Refused() : writes.ifMatch(key, body, etag);
  }

  @Override
  public PutResult put(String key, byte[] body) {
    ObjectKeys.check(key);
    return writes.always(key, body);
  }

  @Override
  public ObjectUpload upload(String key) {
    ObjectKeys.check(key);
    return new S3Upload(
        clients, writes, new S3Upload.Target(bucket, key, paging.part(), settings.encryption()));
  }

  @Override
  public ListPage list(String prefix, Optional<String> after) {
    ObjectKeys.checkPrefix(prefix);
    ListObjectsV2Response page = page(prefix, after, null);
    List<ObjectMeta> objects = new ArrayList<>();
    for (S3Object o : page.contents()) {
      // Consoles make such objects to show a folder.
      if (!o.key().endsWith("/")) {
        objects.add(
            new ObjectMeta(o.key(), o.size(), Etags.kept(o.eTag()), millis(o.lastModified())));
      }
    }
    return new ListPage(objects, Optional.ofNullable(page.nextContinuationToken()));
  }

  @Override
  public NamePage listFolders(String prefix, Optional<String> after) {
    ObjectKeys.checkPrefix(prefix);
    int folder = prefix.lastIndexOf('/') + 1;
    ListObjectsV2Response page = page(prefix, after, "/");
    List<String> names = new ArrayList<>();
    for (CommonPrefix p : page.commonPrefixes()) {
      String name = p.prefix().substring(folder, p.prefix().length() - 1);
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return new NamePage(names, Optional.ofNullable(page.nextContinuationToken()));
  }

  private ListObjectsV2Response page(String prefix, Optional<String> after, String delimiter) {
    try {
      return CutAnswer.repeated(
          clients.attempts(),
          () ->
              reading()
                  .listObjectsV2(
                      r ->
                          r.bucket(bucket)
                              .prefix(prefix)
                              .delimiter(delimiter)
                              .maxKeys(paging.page())
                              .continuationToken(after.orElse(null))));
    } catch (SdkException e) {
      throw results.failed("list", prefix, e);
    }
  }

  @Override
  public void delete(String key) {
    ObjectKeys.check(key);
    found("delete", key, () -> reading().deleteObject(r -> r.bucket(bucket).key(key)));
  }

  @Override
  public DeleteReport deleteAll(List<String> keys) {
    keys.forEach(ObjectKeys::check);
    return deletes.batch(keys).orElseGet(() -> ObjectStore.oneByOne(this, keys));
  }

  private S3Client reading() {
    return clients.repeating();
  }

  private <T> Optional<T> found(String request, String key, Supplier<T> call) {
    try {
      return Optional.of(CutAnswer.repeated(clients.attempts(), call));
    } catch (SdkException e) {
      if (S3Results.isMissing(e)) {
        return Optional.empty();
      }
      if (e.getCause() instanceof StoreException known) {
        throw known;
      }
      throw results.failed(request, key, e);
    }
  }

  /** Objects are dated in whole seconds, in listings with zeros behind. */
  private static long millis(Instant modified) {
    return modified == null ? 0 : modified.getEpochSecond() * 1000;
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      clients.release();
    }
  }
}
