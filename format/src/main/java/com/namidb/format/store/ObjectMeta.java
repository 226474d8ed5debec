package com.namidb.format.store;

/**
 * What a store tells about an object.
 *
 * @param key percent-encoded key below the store's root
 * @param size bytes
 * @param etag the store's own version tag, opaque
 * @param modifiedMillis last modification by the store's clock, milliseconds since 1970 UTC
 */
public record ObjectMeta(String key, long size, String etag, long modifiedMillis) {}
