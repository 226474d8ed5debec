package com.namidb.format.store.s3;

/** Tags are kept without the quotes that answers and listings may or may not put around them. */
final class Etags {
  private Etags() {}

  /** As it came, without quotes. */
  static String kept(String etag) {
    if (etag == null) {
      return "";
    }
    boolean quoted = etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"");
    return quoted ? etag.substring(1, etag.length() - 1) : etag;
  }

  /** As a condition has it. */
  static String sent(String etag) {
    return "\"" + etag + "\"";
  }
}
