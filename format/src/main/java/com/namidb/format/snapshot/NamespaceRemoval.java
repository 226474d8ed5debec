package com.namidb.format.snapshot;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.LocationErrors;
import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.DeleteReport;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ProvenStores;
import com.namidb.format.store.PutResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Deletes a whole graph. At every moment of it the graph is there with its newest version whole, or
 * not there at all. In the single-object layout the manifest goes first, and with it the graph. In
 * the versioned one the advisory copy goes first, then the pointers from the oldest on, so that the
 * removal of the last one is the moment it vanishes. Bodies and archives are next, so that nobody
 * who creates a graph of that name meets them; then the data. A mark says that it began: running it
 * again finishes it, and until then no graph is made there.
 *
 * <p>A layout that is asked for is a condition, as it is for reading and writing. Only where two
 * writers created a graph in both layouts at once, it says which of them goes.
 *
 * <p>No engine may have the graph open: nothing keeps it from committing. Source: manifest §1, §3,
 * single-object manifest.
 */
public final class NamespaceRemoval {
  private static final List<String> DATA = List.of("schemas", "sst", "wal", "bulk", "snapshots");
  private static final byte[] MARK = "{\"dropping\":true}".getBytes(StandardCharsets.UTF_8);
  private static final long SKEW_SECONDS = 60;

  private final Namespace namespace;
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final Clock clock;
  private long deleted;

  /**
   * Prepares the removal; makes no request.
   *
   * @param clock tells which leases still live
   */
  public NamespaceRemoval(Namespace namespace, Clock clock) {
    this.namespace = namespace;
    this.paths = namespace.location().paths();
    this.store = namespace.store();
    this.clock = clock;
  }

  /**
   * Refuses a graph that holds anything.
   *
   * @throws com.namidb.format.error.ValidationFailedException if its newest version lists data, or
   *     a removal was cut off before
   */
  public void checkEmpty() {
    Manifest newest;
    try {
      newest = namespace.log().current().manifest();
    } catch (NamespaceNotFoundException gone) {
      throw CatalogErrors.halfDropped(paths.namespace(), gone);
    }
    if (!newest.ssts().isEmpty() || !newest.walSegments().isEmpty()) {
      throw CatalogErrors.notEmpty(
          paths.namespace(),
          newest.version(),
          newest.ssts().size(),
          newest.walSegments().size(),
          namespace.location().store() + "/" + paths.prefix());
    }
  }

  /**
   * Deletes it.
   *
   * @return how many objects were deleted
   * @throws com.namidb.format.error.ValidationFailedException if a lease keeps a version; nothing
   *     is deleted then
   * @throws com.namidb.format.error.InvalidOptionException if a layout is asked for and the graph
   *     has the other one; nothing is deleted then
   * @throws com.namidb.format.error.StoreUnsafeException if commits on this store would not be safe
   */
  public long run() {
    ProvenStores.require(namespace.location().store(), store, paths.bulk());
    checkLeases();
    Layout asked = namespace.location().layout();
    if (asked != null && has(other(asked))) {
      return runOnly(asked);
    }
    PutResult marked = store.put(paths.dropping(), MARK);
    if (marked instanceof PutResult.Unclear unclear) {
      throw StoreErrors.failed("mark a graph: " + unclear.cause(), paths.dropping(), null);
    }
    try {
      // Who took a lease before the mark is seen now.
      checkLeases();
    } catch (RuntimeException e) {
      store.delete(paths.dropping());
      throw e;
    }
    delete(paths.manifest());
    delete(paths.currentHint());
    deleteBelow(paths.pointers(), key -> true);
    delete(paths.currentHint());
    deleteBatches(paths.archives());
    deleteBelow(paths.manifests(), key -> !key.equals(paths.dropping()));
    for (String folder : DATA) {
      deleteBatches(paths.other(folder) + "/");
    }
    delete(paths.other("memtable_snapshot.bin"));
    store.delete(paths.dropping());
    store.tidy(paths.prefix());
    return deleted;
  }

  /**
   * Deletes the versions of one layout where the folder has a graph of the other layout, too. Files
   * stay, since both may name them: what only the one named is an orphan of the other then.
   */
  private long runOnly(Layout asked) {
    if (!has(asked)) {
      throw LocationErrors.otherLayout(paths.namespace(), other(asked).text(), asked.text(), null);
    }
    if (asked == Layout.SINGLE_OBJECT) {
      delete(paths.manifest());
      deleteBatches(paths.archives());
    } else {
      delete(paths.currentHint());
      deleteBelow(paths.pointers(), key -> true);
      delete(paths.currentHint());
      deleteBelow(paths.manifests(), key -> !key.startsWith(paths.pins()));
    }
    return deleted;
  }

  private static Layout other(Layout layout) {
    return layout == Layout.VERSIONED ? Layout.SINGLE_OBJECT : Layout.VERSIONED;
  }

  /** Whether a graph of this layout is here, or what a removal of it left that was cut off. */
  private boolean has(Layout layout) {
    if (layout == Layout.SINGLE_OBJECT) {
      return store.head(paths.manifest()).isPresent()
          || !store.list(paths.archives(), Optional.empty()).objects().isEmpty();
    }
    Predicate<String> versions = k -> !k.equals(paths.dropping()) && !k.startsWith(paths.pins());
    return !keys(paths.manifests(), versions).isEmpty();
  }

  private void checkLeases() {
    long now = Math.floorDiv(clock.millis(), 1000L);
    List<Pin> live =
        namespace.pins().stream().filter(p -> p.expiresAtUnix() + SKEW_SECONDS > now).toList();
    if (!live.isEmpty()) {
      Pin first = live.get(0);
      throw CatalogErrors.pinned(
          paths.namespace(), live.size(), first.id(), first.version(), first.owner());
    }
  }

  private void delete(String key) {
    store.delete(key);
    deleted++;
  }

  /** In the order of the keys; looks again until nothing is left, for a commit may come between. */
  private void deleteBelow(String prefix, Predicate<String> which) {
    for (List<String> keys = keys(prefix, which); !keys.isEmpty(); keys = keys(prefix, which)) {
      keys.forEach(this::delete);
    }
  }

  /** The same in any order, many at once. */
  private void deleteBatches(String prefix) {
    for (List<String> keys = all(prefix); !keys.isEmpty(); keys = all(prefix)) {
      for (List<String> batch : ObjectStore.batches(keys)) {
        for (DeleteReport.Failure f : store.deleteAll(batch).failures()) {
          throw StoreErrors.failed("delete: " + f.reason(), f.key(), null);
        }
        deleted += batch.size();
      }
    }
  }

  private List<String> all(String prefix) {
    return keys(prefix, key -> true);
  }

  private List<String> keys(String prefix, Predicate<String> which) {
    return store.listAll(prefix).stream().map(ObjectMeta::key).filter(which).toList();
  }
}
