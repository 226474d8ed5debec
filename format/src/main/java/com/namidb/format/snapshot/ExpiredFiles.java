package com.namidb.format.snapshot;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.Floor;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.manifest.KeyEncoding;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells a file that is missing because its version was collected from one that is lost. Source:
 * protocol §7.
 */
public final class ExpiredFiles {
  private static final Pattern KEY =
      Pattern.compile("(.*/)?(sst/level[0-9]+/[^/]+|wal/[0-9a-f]{16}\\.wal|bulk/[^/]+/[^/]+)");

  private ExpiredFiles() {}

  /**
   * The error to show for one that came up while a version was read: {@code SnapshotGoneException}
   * if its object is missing and the version is given up or gone, else the same with its place
   * filled in. Up to three requests, only for an object that cannot be read.
   *
   * @param where namespace and version that were read
   */
  public static NamiException explain(
      NamiException error, Where where, StoreConfig config, ObjectStore store) {
    if (error instanceof CorruptObjectException && error.object().isPresent()) {
      Matcher key = KEY.matcher(error.object().get());
      String end = where.namespace() + "/";
      if (key.matches() && key.group(1) != null && key.group(1).endsWith(end)) {
        String root = key.group(1).substring(0, key.group(1).length() - end.length());
        String bare = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
        Location place =
            new Location(config, new NamespacePaths(KeyEncoding.decode(bare), where.namespace()));
        try {
          if (isGone(error.object().get(), where.version(), place, store)) {
            return SnapshotErrors.fileExpired(
                where.namespace(), where.version(), error.object().get(), error);
          }
        } catch (NamiException e) {
          error.addSuppressed(e);
        }
      }
    }
    return error.at(where);
  }

  private static boolean isGone(String object, long version, Location place, ObjectStore store) {
    if (store.head(object).isPresent()) {
      return false;
    }
    ManifestLog log = Namespace.open(place, store).log();
    Optional<Floor> floor = log.stored().floor();
    boolean given = floor.isPresent() && floor.get().covers(version);
    return given || log.find(version).isEmpty();
  }
}
