package com.namidb.format.retention;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.UnsupportedFormatException;
import com.namidb.format.id.Hex;
import com.namidb.format.log.StoredVersions.VersionObjects;
import com.namidb.format.manifest.ListedPaths;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.retention.Doomed.Kind;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Files that no version names and no job may still publish: left by writers that died, and by
 * candidates that were compacted away. Only at places and under names that this module or the
 * engine gives; anything else is somebody else's. Source: manifest §6.2, protocol §7.
 */
final class Orphans {
  private static final Pattern CANDIDATE =
      Pattern.compile(
          "[0-9a-f]{32}(-nodes\\.parquet|-edges-fwd\\.csr|-edges-inv\\.csr|.*\\.bloom)");
  private static final String WAL = ".wal";

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final List<JobFolder> jobs;
  private final History history;
  private final List<String> notes = new ArrayList<>();

  Orphans(Namespace namespace, ObjectStore store, List<JobFolder> jobs) {
    this.paths = namespace.location().paths();
    this.store = store;
    this.jobs = jobs;
    history = History.of(paths, store, namespace.log());
  }

  History history() {
    return history;
  }

  /**
   * What no version names, written before a time by the store's clock.
   *
   * @param nobody whether the caller knows that nobody uses the namespace
   */
  SweepPlan plan(long cutoff, boolean nobody) {
    StalledWriters stalled = new StalledWriters(history, nobody);
    LiveSet live = history.live(history.oldest());
    for (VersionObjects left : history.below(history.oldest())) {
      if (left.readable()) {
        keep(live, left.version());
      }
    }
    List<Doomed> out = new ArrayList<>();
    List<Doomed> maybe = new ArrayList<>();
    for (ObjectMeta meta : store.listAll(paths.ssts())) {
      if (ListedPaths.isFile(relative(meta.key()))) {
        consider(Kind.FILE, meta, live, cutoff, out);
      }
    }
    for (ObjectMeta meta : store.listAll(paths.wals())) {
      if (isSegment(meta.key())) {
        consider(Kind.WAL, meta, live, cutoff, out);
      }
    }
    for (JobFolder job : jobs) {
      if (job.isUnfinished()) {
        notes.add("the files of job '" + job.name() + "' stay: it may still be published");
        continue;
      }
      if (job.job().filter(stalled::maySleep).isPresent()) {
        notes.add(StalledWriters.note(job.name()));
        continue;
      }
      for (ObjectMeta meta : job.objects()) {
        String file = meta.key().substring(paths.bulk(job.name()).length());
        if (CANDIDATE.matcher(file).matches()) {
          consider(Kind.FILE, meta, live, cutoff, job.isNeverDone() ? maybe : out);
        }
      }
    }
    int sleeping = 0;
    for (Doomed doomed : maybe) {
      if (stalled.maySleep(doomed.object().modifiedMillis())) {
        sleeping++;
      } else {
        out.add(doomed);
      }
    }
    if (sleeping > 0) {
      notes.add(StalledWriters.note(sleeping));
    }
    out.sort(Comparator.comparing(d -> d.object().key()));
    return new SweepPlan(out, OptionalLong.empty(), notes);
  }

  private void keep(LiveSet live, long version) {
    try {
      history.find(version).ifPresent(live::add);
    } catch (CorruptObjectException | UnsupportedFormatException e) {
      notes.add("a leftover of version " + Long.toUnsignedString(version) + " cannot be read");
    }
  }

  private static void consider(
      Kind kind, ObjectMeta meta, LiveSet live, long cutoff, List<Doomed> out) {
    if (!live.contains(meta.key()) && meta.modifiedMillis() <= cutoff) {
      out.add(new Doomed(kind, meta, Doomed.NO_VERSION, "no version names it"));
    }
  }

  private String relative(String key) {
    return key.substring(paths.prefix().length());
  }

  private boolean isSegment(String key) {
    String name = key.substring(paths.wals().length());
    return name.endsWith(WAL)
        && Hex.parseH16(name.substring(0, name.length() - WAL.length())).isPresent();
  }
}
