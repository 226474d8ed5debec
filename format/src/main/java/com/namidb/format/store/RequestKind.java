package com.namidb.format.store;

/** What a store bills by; one call of {@link ObjectStore} is one request. */
public enum RequestKind {
  /** Size, tag and time of an object. */
  HEAD,
  /** A whole object or a range of it. */
  GET,
  /** A whole object written in one call, with or without a condition. */
  PUT,
  /** A large object written in pieces; counted once, when it is finished. */
  UPLOAD,
  /** A page of a listing, of objects or of folders. */
  LIST,
  /** The removal of an object, or of up to a thousand where the store can do that at once. */
  DELETE
}
