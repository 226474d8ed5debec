package com.namidb.format.error;

import java.io.Serializable;

/**
 * Where an error happened; every member may be unknown ({@code null}).
 *
 * @param namespace namespace name
 * @param version manifest version
 * @param object object key or manifest path
 * @param jobId id of the write job
 */
public record Where(String namespace, Long version, String object, String jobId)
    implements Serializable {
  /** Nothing known yet; callers further up add what they know. */
  public static final Where UNKNOWN = new Where(null, null, null, null);

  /** Only the object is known. */
  public static Where object(String object) {
    return new Where(null, null, object, null);
  }

  /** Namespace and version are known. */
  public static Where version(String namespace, long version) {
    return new Where(namespace, version, null, null);
  }

  /** Fills what is unknown here from {@code outer}. */
  Where or(Where outer) {
    return new Where(
        namespace != null ? namespace : outer.namespace,
        version != null ? version : outer.version,
        object != null ? object : outer.object,
        jobId != null ? jobId : outer.jobId);
  }

  String text() {
    StringBuilder s = new StringBuilder();
    add(s, "namespace", namespace == null ? null : "'" + namespace + "'");
    add(s, "version", version == null ? null : Long.toUnsignedString(version));
    add(s, "object", object);
    add(s, "job", jobId);
    return s.toString();
  }

  private static void add(StringBuilder s, String name, String value) {
    if (value != null) {
      s.append(s.length() == 0 ? "" : ", ").append(name).append(' ').append(value);
    }
  }
}
