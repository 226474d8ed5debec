package com.namidb.format.log;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.LocationErrors;
import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ProvenStores;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;

/**
 * The log of a namespace whose layout is recognised when it is first asked for a version, and
 * remembered. Source: contract §9.
 *
 * <p>Recognising costs a versioned namespace nothing: the advisory copy, which it asks for first
 * anyway, tells. A single-object one costs a GET of that copy in vain, or a HEAD of a pointer where
 * a version is named. With a layout given nothing is asked.
 */
public final class LayoutLog implements ManifestLog {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final StoreConfig config;
  private final Layout given;
  private final PointerLog versioned;
  private final SingleObjectLog single;
  private volatile ManifestLog chosen;

  /**
   * Makes no request; the store stays owned by the caller.
   *
   * @param config names the store in errors
   * @param given the layout it must have and is created in, {@code null} to recognise it and to
   *     create it versioned
   */
  public LayoutLog(NamespacePaths paths, ObjectStore store, StoreConfig config, Layout given) {
    this(paths, store, config, given, CommitTiming.SYSTEM);
  }

  /** As the other constructor, with clock and limits of publishing. */
  public LayoutLog(
      NamespacePaths paths,
      ObjectStore store,
      StoreConfig config,
      Layout given,
      CommitTiming timing) {
    this.paths = paths;
    this.store = store;
    this.config = config;
    this.given = given;
    String place = config + "/" + paths.prefix();
    versioned = new PointerLog(paths, store, timing, place);
    single = new SingleObjectLog(paths, store, timing, place);
    chosen = given == null ? null : log(given);
  }

  private LayoutLog(LayoutLog same, Layout given) {
    paths = same.paths;
    store = same.store;
    config = same.config;
    versioned = same.versioned;
    single = same.single;
    this.given = given;
    chosen = given == null ? null : log(given);
  }

  /** The same, sharing all that is remembered, with another layout asked for. */
  public LayoutLog as(Layout asked) {
    return new LayoutLog(this, asked);
  }

  private ManifestLog log(Layout layout) {
    return layout == Layout.SINGLE_OBJECT ? single : versioned;
  }

  /** What {@code call} answers, of the right layout. */
  private <T> T ask(Function<ManifestLog, T> call) {
    ManifestLog log = chosen;
    if (log != null) {
      try {
        return call.apply(log);
      } catch (NamespaceNotFoundException e) {
        if (given != null) {
          throw otherThanGiven(e);
        }
        // Deleted; perhaps it was made anew in the other layout.
        chosen = null;
      }
    }
    log = recognised().log;
    T answer = call.apply(log);
    chosen = log;
    return answer;
  }

  /**
   * Which layout it has.
   *
   * @param log of that layout
   * @param newest the newest version, if it became known on the way
   */
  private record Recognised(ManifestLog log, Optional<Committed> newest) {}

  private Recognised recognised() {
    Optional<StoredObject> hint = store.get(paths.currentHint());
    if (hint.isEmpty()) {
      Optional<Committed> newest = single.read();
      if (newest.isPresent()) {
        return new Recognised(single, newest);
      }
    }
    versioned.offer(hint);
    return new Recognised(versioned, Optional.empty());
  }

  private RuntimeException otherThanGiven(NamespaceNotFoundException e) {
    return has(other(given))
        ? LocationErrors.otherLayout(paths.namespace(), other(given).text(), given.text(), e)
        : e;
  }

  private static Layout other(Layout layout) {
    return layout == Layout.VERSIONED ? Layout.SINGLE_OBJECT : Layout.VERSIONED;
  }

  private boolean has(Layout layout) {
    return layout == Layout.SINGLE_OBJECT
        ? store.head(paths.manifest()).isPresent()
        : store.head(paths.currentHint()).isPresent() || store.head(paths.pointer(0)).isPresent();
  }

  @Override
  public Layout layout() {
    if (chosen == null) {
      current();
    }
    return ask(ManifestLog::layout);
  }

  @Override
  public String key(long version) {
    ManifestLog log = chosen;
    return (log == null ? versioned : log).key(version);
  }

  @Override
  public Committed current() {
    if (chosen != null) {
      return ask(ManifestLog::current);
    }
    Recognised found = recognised();
    Committed newest = found.newest.orElseGet(found.log::current);
    chosen = found.log;
    return newest;
  }

  @Override
  public Committed at(long version) {
    if (chosen == null) {
      // The version itself tells, where it is.
      Optional<Committed> found = versioned.published(version);
      if (found.isPresent()) {
        chosen = versioned;
        return found.get();
      }
      found = single.archived(version);
      if (found.isPresent()) {
        chosen = single;
        return found.get();
      }
    }
    return ask(log -> log.at(version));
  }

  @Override
  public Optional<Committed> find(long version) {
    return ask(log -> log.find(version));
  }

  @Override
  public OptionalLong oldest() {
    return ask(ManifestLog::oldest);
  }

  @Override
  public OptionalLong createdAtMicros(long version) {
    return ask(log -> log.createdAtMicros(version));
  }

  @Override
  public Optional<Committed> fresh() {
    ManifestLog log = chosen;
    return log == null ? Optional.empty() : log.fresh();
  }

  @Override
  public Committed base() {
    return ask(ManifestLog::base);
  }

  @Override
  public Optional<Manifest> unfinished(long version) {
    return ask(log -> log.unfinished(version));
  }

  /** Makes requests if nothing was asked of this log before. */
  @Override
  public StoredVersions stored() {
    return ask(ManifestLog::stored);
  }

  @Override
  public PublishResult publish(Committed base, Manifest next, CommitProbe probe) {
    // A version of one layout is never published in the other.
    return log(base.manifest().layout()).publish(base, next, probe);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Only here it is looked at what else is in the folder, and only if no namespace was found. A
   * store nobody has written to yet is probed first.
   *
   * @throws com.namidb.format.error.StoreUnsafeException if commits on this store would not be safe
   */
  @Override
  public Committed createIfAbsent(UUID writer, Instant now) {
    try {
      return current();
    } catch (NamespaceNotFoundException e) {
      if (store.head(paths.dropping()).isPresent()) {
        // What is left there would be taken for a part of the new one.
        throw CatalogErrors.halfDropped(paths.namespace(), e);
      }
      Layout layout = given == null ? Layout.VERSIONED : given;
      Optional<String> taken = new FreeFolder(paths, store).taken(layout);
      return taken.isEmpty() ? created(layout, writer, now) : createdMeanwhile(taken.get());
    }
  }

  private Committed created(Layout layout, UUID writer, Instant now) {
    if (layout == Layout.VERSIONED && paths.prefix().indexOf('%') >= 0) {
      throw LocationErrors.engineIsBlind(paths.namespace(), paths.prefix());
    }
    ProvenStores.require(config, store, paths.bulk());
    Committed created = log(layout).createIfAbsent(writer, now);
    if (store.head(layout == Layout.VERSIONED ? paths.manifest() : paths.pointer(0)).isPresent()) {
      throw LocationErrors.bothLayouts(paths.namespace(), paths.manifest(), paths.pointers());
    }
    chosen = log(layout);
    return created;
  }

  /** What another has created since it was looked for, or nothing but what is left of a graph. */
  private Committed createdMeanwhile(String left) {
    try {
      return current();
    } catch (NamespaceNotFoundException e) {
      throw CatalogErrors.folderNotFree(paths.namespace(), left, e);
    }
  }
}
