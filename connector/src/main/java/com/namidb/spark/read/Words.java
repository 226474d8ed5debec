package com.namidb.spark.read;

import com.namidb.format.snapshot.WalPolicy;

/** Option values as users spell them, for plans. */
final class Words {
  private Words() {}

  static String of(WalPolicy policy) {
    return switch (policy) {
      case REPLAY -> "replay";
      case IGNORE -> "ignore";
      case REQUIRE_EMPTY -> "require-empty";
    };
  }
}
