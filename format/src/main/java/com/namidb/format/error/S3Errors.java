package com.namidb.format.error;

import java.util.List;

/** Errors of S3 stores and their options; none shows the value of an option. */
public final class S3Errors {
  private S3Errors() {}

  /** What is likely wrong, and so what to do. */
  public enum Kind {
    /** Keys or permissions. */
    ACCESS(
        "Check the keys, the token of temporary ones included, and that they may list the bucket and"
            + " read, write and delete in it."),
    /** The bucket. */
    BUCKET("Check the bucket's name and the endpoint."),
    /** Region or endpoint. */
    ADDRESS("Check s3.region, s3.endpoint and s3.path-style."),
    /** Nothing answered, or there are no keys. */
    NETWORK("Check the endpoint, the network and where keys come from, then try again."),
    /** The store cannot do what was asked for. */
    UNSUPPORTED("Use a store that supports this request, conditional writes included."),
    /** Anything else. */
    OTHER("Try again; if it stays so, check the store.");

    private final String advice;

    Kind(String advice) {
      this.advice = advice;
    }
  }

  /**
   * A request failed for good.
   *
   * @param request what was tried, e.g. {@code "read"}
   * @param reason what the store or the network said
   */
  public static StoreException failed(
      String request, String bucket, String object, Kind kind, String reason, Throwable cause) {
    return new StoreException(
        "S3 failed to " + request + " an object of bucket '" + bucket + "': " + reason,
        Where.object(object),
        kind.advice,
        cause);
  }

  /** An upload would be larger than S3 allows. */
  public static StoreException tooManyParts(String object, int parts, int partBytes) {
    return new StoreException(
        "An object has more than " + parts + " parts of " + partBytes + " bytes",
        Where.object(object),
        "Let the write make smaller files: option file-size.",
        null);
  }

  /** An option of S3 that there is not. */
  public static InvalidOptionException unknownOption(String name, List<String> known) {
    List<String> near = NearestName.of(name, known);
    return invalid(
        "Unknown option '" + name + "'",
        near.isEmpty()
            ? "Options of S3 are " + String.join(", ", known) + "."
            : "Did you mean '" + String.join("' or '", near) + "'?");
  }

  /** An option's value has no sense. */
  public static InvalidOptionException badOption(String name, String reason, String advice) {
    return invalid("Option '" + name + "' cannot be used: " + reason, advice);
  }

  /** A class that supplies no keys. */
  public static InvalidOptionException badProvider(String name, String type, Exception cause) {
    return new InvalidOptionException(
        "The credentials provider '" + name + "' cannot be used: " + cause,
        Where.UNKNOWN,
        "Name a provider of the AWS SDK, or a class on the class path of driver and executors that"
            + " implements "
            + type
            + " and has a public constructor without arguments.",
        cause);
  }

  private static InvalidOptionException invalid(String what, String advice) {
    return new InvalidOptionException(what, Where.UNKNOWN, advice, null);
  }
}
