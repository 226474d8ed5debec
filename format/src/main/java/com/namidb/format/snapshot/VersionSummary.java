package com.namidb.format.snapshot;

import com.namidb.format.log.ManifestRef;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import java.io.Serializable;
import java.util.Optional;

/**
 * One row of the {@code snapshots} table. Contract §8.
 *
 * @param ref version, epoch, writer, and the time its writer's clock told
 * @param committedAtMicros commit time that never falls from version to version; what {@code
 *     TIMESTAMP AS OF} compares with
 * @param operation what the commit did, empty if the version before it is collected
 * @param job the job of this connector that made the commit, empty for any other commit
 * @param counts physical numbers
 * @param isCurrent whether it was the newest version when the history was read
 * @param isReadable whether every object it lists was in the store then
 */
public record VersionSummary(
    ManifestRef ref,
    long committedAtMicros,
    Optional<Operation> operation,
    Optional<String> job,
    Counts counts,
    boolean isCurrent,
    boolean isReadable) {

  /**
   * Physical numbers of a version: superseded rows and tombstones count, WAL rows do not.
   *
   * @param nodeSsts node SSTs
   * @param edgeSsts edge SSTs of both directions
   * @param otherSsts search bodies and barriers
   * @param nodeRows rows in node SSTs
   * @param edgeRows rows in forward edge SSTs
   * @param tombstones tombstones among both
   * @param sstBytes size of all SST bodies
   * @param walSegments listed WAL segments
   */
  public record Counts(
      int nodeSsts,
      int edgeSsts,
      int otherSsts,
      long nodeRows,
      long edgeRows,
      long tombstones,
      long sstBytes,
      int walSegments)
      implements Serializable {

    static Counts of(Manifest manifest) {
      int[] ssts = new int[3];
      long[] rows = new long[2];
      long tombstones = 0;
      long bytes = 0;
      for (SstDescriptor sst : manifest.ssts()) {
        bytes += sst.sizeBytes();
        switch (sst.kind()) {
          case NODES -> {
            ssts[0]++;
            rows[0] += sst.counts().rows();
            tombstones += sst.counts().tombstones();
          }
          case EDGES_FWD -> {
            ssts[1]++;
            rows[1] += sst.counts().rows();
            tombstones += sst.counts().tombstones();
          }
          case EDGES_INV -> ssts[1]++;
          case OTHER -> ssts[2]++;
        }
      }
      return new Counts(
          ssts[0],
          ssts[1],
          ssts[2],
          rows[0],
          rows[1],
          tombstones,
          bytes,
          manifest.walSegments().size());
    }
  }
}
