package com.namidb.format.store;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Counts what passes to another store. A request counts when it is sent, whatever comes of it;
 * bytes count as sent or received.
 */
public final class MeteredStore implements ObjectStore {
  private final ObjectStore store;
  private final Consumer<Request> listener;
  private final Map<RequestKind, LongAdder> requests = new EnumMap<>(RequestKind.class);
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();

  /** Wraps a store; closing this closes it. */
  public MeteredStore(ObjectStore store) {
    this(store, request -> {});
  }

  /**
   * Wraps a store and tells of every request before it is sent.
   *
   * @param listener called by the thread that sends; must be thread-safe
   */
  public MeteredStore(ObjectStore store, Consumer<Request> listener) {
    this.store = store;
    this.listener = listener;
    for (RequestKind kind : RequestKind.values()) {
      requests.put(kind, new LongAdder());
    }
  }

  /** What was counted so far; each number is exact once the requests it counts have returned. */
  public RequestCounts snapshot() {
    return new RequestCounts(
        count(RequestKind.HEAD),
        count(RequestKind.GET),
        count(RequestKind.PUT),
        count(RequestKind.UPLOAD),
        count(RequestKind.LIST),
        count(RequestKind.DELETE),
        bytesRead.sum(),
        bytesWritten.sum());
  }

  private long count(RequestKind kind) {
    return requests.get(kind).sum();
  }

  private void sent(RequestKind kind, String key) {
    requests.get(kind).increment();
    listener.accept(new Request(kind, key));
  }

  @Override
  public Optional<ObjectMeta> head(String key) {
    sent(RequestKind.HEAD, key);
    return store.head(key);
  }

  @Override
  public Optional<StoredObject> get(String key) {
    sent(RequestKind.GET, key);
    Optional<StoredObject> found = store.get(key);
    found.ifPresent(object -> bytesRead.add(object.bytes().length));
    return found;
  }

  @Override
  public Optional<byte[]> getRange(String key, ByteRange range) {
    sent(RequestKind.GET, key);
    Optional<byte[]> found = store.getRange(key, range);
    found.ifPresent(bytes -> bytesRead.add(bytes.length));
    return found;
  }

  @Override
  public PutResult putIfAbsent(String key, byte[] body) {
    sentPut(key, body);
    return store.putIfAbsent(key, body);
  }

  @Override
  public PutResult putIfMatch(String key, byte[] body, String etag) {
    sentPut(key, body);
    return store.putIfMatch(key, body, etag);
  }

  @Override
  public PutResult put(String key, byte[] body) {
    sentPut(key, body);
    return store.put(key, body);
  }

  private void sentPut(String key, byte[] body) {
    sent(RequestKind.PUT, key);
    bytesWritten.add(body.length);
  }

  @Override
  public ObjectUpload upload(String key) {
    ObjectUpload upload = store.upload(key);
    return new ObjectUpload() {
      @Override
      public void write(byte[] bytes, int offset, int length) {
        bytesWritten.add(length);
        upload.write(bytes, offset, length);
      }

      @Override
      public PutResult finish() {
        sent(RequestKind.UPLOAD, key);
        return upload.finish();
      }

      @Override
      public void close() {
        upload.close();
      }
    };
  }

  @Override
  public ListPage list(String prefix, Optional<String> after) {
    sent(RequestKind.LIST, prefix);
    return store.list(prefix, after);
  }

  @Override
  public NamePage listFolders(String prefix, Optional<String> after) {
    sent(RequestKind.LIST, prefix);
    return store.listFolders(prefix, after);
  }

  @Override
  public void delete(String key) {
    sent(RequestKind.DELETE, key);
    store.delete(key);
  }

  /** No request of an object store. */
  @Override
  public void tidy(String prefix) {
    store.tidy(prefix);
  }

  /** Told of before it is sent as one request; how many it took is known, and counted, after it. */
  @Override
  public DeleteReport deleteAll(List<String> keys) {
    if (keys.isEmpty()) {
      return new DeleteReport(0, List.of());
    }
    sent(RequestKind.DELETE, keys.get(0));
    DeleteReport report = store.deleteAll(keys);
    requests.get(RequestKind.DELETE).add(report.requests() - 1);
    return report;
  }

  @Override
  public void close() {
    store.close();
  }
}
