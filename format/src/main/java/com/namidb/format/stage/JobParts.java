package com.namidb.format.stage;

import com.namidb.format.error.FileErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.manifest.JsonTree;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** The reports of a job's writes: {@code part-<run>-<uuid>.json}. Source: protocol §2. */
final class JobParts {
  private static final String KIND = "Job part";

  private final ObjectStore store;
  private final String folder;

  JobParts(ObjectStore store, String folder) {
    this.store = store;
    this.folder = folder;
  }

  /** Adds a part under a fresh name; returns its key. */
  String add(UUID run, StagedPart part) {
    String key = prefix(run) + digits(UUID.randomUUID()) + ".json";
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("source", part.balance().source());
    out.put("accepted", part.balance().accepted());
    out.put("quarantined", part.balance().quarantined());
    out.put("quarantine", part.quarantine().toTree());
    out.put("rules", part.rules().toTree());
    out.put("aside", part.aside().toTree());
    out.put("files", part.files().stream().map(CandidateFile::toTree).toList());
    // A fresh name: written twice by a retry it is the same report.
    if (store.put(key, JsonTree.write(out)) instanceof PutResult.Unclear unclear
        && store.head(key).isEmpty()) {
      throw StoreErrors.failed("keep a job's report: " + unclear.cause(), key, null);
    }
    return key;
  }

  StagedPart read(String key) {
    StoredObject object = store.get(key).orElseThrow(() -> FileErrors.missing(KIND, key));
    JsonTree tree = JsonTree.parse(KIND, key, object.bytes());
    return new StagedPart(
        tree.children("files").stream().map(CandidateFile::of).toList(),
        new Balance(tree.number("source"), tree.number("accepted"), tree.number("quarantined")),
        PartRules.of(tree.child("rules")),
        QuarantineReport.of(tree, "quarantine"),
        AsideRules.of(tree.child("aside")));
  }

  private String prefix(UUID run) {
    return folder + "part-" + digits(run) + "-";
  }

  private static String digits(UUID id) {
    return id.toString().replace("-", "");
  }
}
