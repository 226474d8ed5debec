package com.namidb.format.log;

import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the history itself is whole: the versions that nobody has collected, what commits them,
 * and the version floor. Lists the manifests, reads no version but the current one.
 *
 * <p>Whatever sweeps, of this connector or of the engine, deletes from the oldest version on, and
 * may be cut off. So what is missing at the low end is no damage, and nothing at or below the floor
 * is. Source: manifest §3.1, §6.2, protocol §7.
 */
public final class HistoryAudit {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final ManifestLog log;

  /**
   * Something that is wrong.
   *
   * @param object key of the first object concerned
   * @param what in words
   * @param count how many versions are concerned
   */
  public record Problem(String object, String what, long count) {}

  /** Makes no request; the store stays owned by the caller. */
  public HistoryAudit(NamespacePaths paths, ObjectStore store, ManifestLog log) {
    this.paths = paths;
    this.store = store;
    this.log = log;
  }

  /**
   * All problems, empty if nothing is wrong. Versioned: GET of the floor and of the advisory copy,
   * and one LIST per thousand objects of the manifest folder, pins included; single-object: one
   * LIST per thousand archives. In both, one LIST that looks for the other layout. Twice that if
   * something is found: a commit or a sweep under way looks like damage, but only once.
   *
   * @param current the newest version, resolved before
   */
  public List<Problem> problems(Committed current) {
    List<Problem> found = look(current);
    if (found.isEmpty()) {
      return found;
    }
    List<Problem> out = new ArrayList<>(found);
    out.retainAll(look(log.current()));
    return out;
  }

  private List<Problem> look(Committed current) {
    return current.manifest().layout() == Layout.SINGLE_OBJECT
        ? new ArchiveAudit(paths, store, current).problems()
        : new PointerAudit(paths, store, current.ref().version()).problems();
  }
}
