package com.namidb.format.store;

import java.io.Serializable;

/**
 * How many requests of each kind were sent, failed ones included, and how many bytes of content
 * they carried.
 *
 * @param heads HEAD requests
 * @param gets GET requests
 * @param puts PUT requests
 * @param uploads uploads in pieces that were finished
 * @param lists pages of listings
 * @param deletes DELETE requests
 * @param bytesRead content received
 * @param bytesWritten content sent
 */
public record RequestCounts(
    long heads,
    long gets,
    long puts,
    long uploads,
    long lists,
    long deletes,
    long bytesRead,
    long bytesWritten)
    implements Serializable {
  /** Nothing sent yet. */
  public static final RequestCounts ZERO = new RequestCounts(0, 0, 0, 0, 0, 0, 0, 0);

  /** Requests of one kind. */
  public long of(RequestKind kind) {
    return switch (kind) {
      case HEAD -> heads;
      case GET -> gets;
      case PUT -> puts;
      case UPLOAD -> uploads;
      case LIST -> lists;
      case DELETE -> deletes;
    };
  }

  /** Requests of all kinds. */
  public long total() {
    return heads + gets + puts + uploads + lists + deletes;
  }

  /** What came on top of an earlier state of the same counter. */
  public RequestCounts minus(RequestCounts earlier) {
    return plus(earlier, -1);
  }

  /** Both together. */
  public RequestCounts plus(RequestCounts other) {
    return plus(other, 1);
  }

  private RequestCounts plus(RequestCounts o, int sign) {
    return new RequestCounts(
        heads + sign * o.heads,
        gets + sign * o.gets,
        puts + sign * o.puts,
        uploads + sign * o.uploads,
        lists + sign * o.lists,
        deletes + sign * o.deletes,
        bytesRead + sign * o.bytesRead,
        bytesWritten + sign * o.bytesWritten);
  }
}
