package com.namidb.format.manifest;

import com.namidb.format.error.FileErrors;
import com.namidb.format.id.Hex;
import java.io.Serializable;

/**
 * All object keys of one namespace, percent-encoded. Source: manifest §1, single-object manifest,
 * protocol §1, §7.
 *
 * @param root prefix inside the store without leading or trailing slash, not yet percent-encoded,
 *     may be empty
 * @param namespace namespace name
 */
public record NamespacePaths(String root, String namespace) implements Serializable {
  /**
   * Key of a listed SST.
   *
   * @throws com.namidb.format.error.CorruptObjectException if its path names nothing
   */
  public String sst(SstDescriptor sst) {
    return listed(sst, sst.path());
  }

  /**
   * Key of a listed SST's id filter.
   *
   * @throws com.namidb.format.error.CorruptObjectException if its path names nothing
   */
  public String bloom(SstDescriptor sst, SstDescriptor.Bloom bloom) {
    return listed(sst, bloom.path());
  }

  private String listed(SstDescriptor sst, String rawPath) {
    if (!named(rawPath)) {
      throw FileErrors.namesNothing(sst.id(), rawPath);
    }
    return key(rawPath);
  }

  /**
   * Key of an SST or sidecar from the raw path of its descriptor. Whatever the path says, the key
   * stays below the namespace.
   *
   * @throws com.namidb.format.error.CorruptObjectException if the path names nothing
   */
  public String object(String rawPath) {
    if (!named(rawPath)) {
      throw FileErrors.damaged("Manifest", prefix(), "the path '" + rawPath + "' names no object");
    }
    return key(rawPath);
  }

  /** Key of a manifest body. */
  public String body(long version) {
    return key("manifest/v" + Hex.h16(version) + ".json");
  }

  /** Key of a pointer. */
  public String pointer(long version) {
    return key("manifest/pointer/p" + Hex.h16(version) + ".json");
  }

  /** What the keys of all pointers start with. */
  public String pointers() {
    return key("manifest/pointer") + "/";
  }

  /** What the keys of everything that makes a folder a graph start with. */
  public String manifests() {
    return key("manifest") + "/";
  }

  /** Key of the mark of a namespace whose deletion began. */
  public String dropping() {
    return key("manifest/dropping.json");
  }

  /** Key of any other object of the namespace. */
  public String other(String rawPath) {
    return key(rawPath);
  }

  /** Key of the advisory copy of the newest pointer. */
  public String currentHint() {
    return key("manifest/current.json");
  }

  /** Key of the current manifest in the single-object layout. */
  public String manifest() {
    return key("manifest.json");
  }

  /** What the keys of all archived manifests start with. */
  public String archives() {
    return key("manifests") + "/";
  }

  /** Key of a version that is no longer current, in the single-object layout. */
  public String archive(long version) {
    return key("manifests/" + Hex.h16(version) + ".json");
  }

  /** Key of a schema object of the single-object layout. */
  public String schema(String id) {
    return key("schemas/" + id + ".json");
  }

  /** Key of a WAL segment. */
  public String wal(long seq) {
    return key("wal/" + Hex.h16(seq) + ".wal");
  }

  /** What the keys of all WAL segments start with. */
  public String wals() {
    return key("wal") + "/";
  }

  /** What the keys of all SSTs the engine writes start with. */
  public String ssts() {
    return key("sst") + "/";
  }

  /** Key of a lease. */
  public String pin(String leaseId) {
    return key("manifest/pins/" + leaseId + ".json");
  }

  /** What the keys of all leases start with. */
  public String pins() {
    return key("manifest/pins") + "/";
  }

  /** Folder of all jobs, with a slash at its end. */
  public String bulk() {
    return key("bulk") + "/";
  }

  /** What the keys of everything one write job stages start with. */
  public String bulk(String job) {
    return key("bulk/" + job) + "/";
  }

  /** Key of the proof that a write job was committed. */
  public String receipt(String job) {
    return bulk(job) + "receipt.json";
  }

  /** Key of the durable version floor of the versioned layout. */
  public String bulkFloor() {
    return key("bulk/floor.json");
  }

  /** Key of the mark that every sweep leaves. */
  public String bulkSweep() {
    return key("bulk/sweep.json");
  }

  /** What the keys of all namespaces below a root start with; empty if the root is. */
  public static String below(String root) {
    return root.isEmpty() ? "" : KeyEncoding.encode(root) + "/";
  }

  /** What every key of the namespace starts with. */
  public String prefix() {
    return key("") + "/";
  }

  private static boolean named(String rawPath) {
    boolean named = false;
    for (String part : rawPath.split("/", -1)) {
      named |= !part.isEmpty() && !part.equals(".") && !part.equals("..");
    }
    return named;
  }

  private String key(String rawPath) {
    return KeyEncoding.encode(root + "/" + namespace + "/" + rawPath);
  }
}
