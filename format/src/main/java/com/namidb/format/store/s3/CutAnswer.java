package com.namidb.format.store.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * An answer whose body broke off while the SDK parsed it. Some of its parsers bury that deeper than
 * its rules for repeating look; where not a byte came it is no error of the SDK at all.
 */
final class CutAnswer {
  private CutAnswer() {}

  /** Whether an attempt failed because of one. */
  static boolean is(Throwable error) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (t instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  /** Makes a call once, so that all of its errors are those of the SDK. */
  static <T> T once(Supplier<T> call) {
    return repeated(1, call);
  }

  /** The same, repeating what the SDK gives up at once. */
  static <T> T repeated(int attempts, Supplier<T> call) {
    for (int i = 1; ; i++) {
      try {
        return call.get();
      } catch (UncheckedIOException e) {
        if (i >= attempts) {
          throw SdkClientException.create("The answer broke off", e);
        }
      }
    }
  }
}
