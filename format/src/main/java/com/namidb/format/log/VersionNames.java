package com.namidb.format.log;

import com.namidb.format.id.Hex;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Objects whose names end with the number of a version. */
final class VersionNames {
  private static final String END = ".json";

  private VersionNames() {}

  /** Everything below a folder. */
  static List<ObjectMeta> list(ObjectStore store, String folder) {
    List<ObjectMeta> out = new ArrayList<>();
    Optional<String> page = Optional.empty();
    do {
      ListPage list = store.list(folder, page);
      out.addAll(list.objects());
      page = list.next();
    } while (page.isPresent());
    return out;
  }

  /** The number in a key that begins so, empty if it is no such key. */
  static Optional<Long> number(String key, String start) {
    if (!key.startsWith(start) || !key.endsWith(END)) {
      return Optional.empty();
    }
    String digits = key.substring(start.length(), key.length() - END.length());
    OptionalLong version = Hex.parseH16(digits);
    return version.isPresent() ? Optional.of(version.getAsLong()) : Optional.empty();
  }
}
