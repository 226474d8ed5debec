package com.namidb.format.store.s3;

import java.util.Optional;

/**
 * Keys that something else supplies: the option {@code s3.credentials-provider} may name a class
 * that implements this and has a public constructor without arguments. Every JVM, driver and
 * executors alike, makes its own.
 */
public interface S3Credentials {
  /** The keys to use now; asked for before every request, so keep those that are still good. */
  Keys keys();

  /**
   * A set of keys. Its text form shows none of them.
   *
   * @param accessKeyId access key id
   * @param secretAccessKey secret access key
   * @param sessionToken token of temporary keys
   */
  record Keys(String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
    @Override
    public String toString() {
      return "Keys[***]";
    }
  }
}
