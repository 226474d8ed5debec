package com.namidb.format.stage;

import com.namidb.format.error.FileErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.manifest.JsonTree;
import com.namidb.format.store.ListPage;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /**
   * What one write staged.
   *
   * @param files its candidates
   * @param balance its rows
   * @param quarantine rows set aside
   */
  record Part(List<CandidateFile> files, Balance balance, QuarantineReport quarantine) {}

  /** Adds a part under a fresh name; returns its key. */
  String add(UUID run, Part part) {
    String key = prefix(run) + digits(UUID.randomUUID()) + ".json";
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("source", part.balance.source());
    out.put("accepted", part.balance.accepted());
    out.put("quarantined", part.balance.quarantined());
    out.put("quarantine", part.quarantine.toTree());
    out.put("files", part.files.stream().map(CandidateFile::toTree).toList());
    // A fresh name: written twice by a retry it is the same report.
    if (store.put(key, JsonTree.write(out)) instanceof PutResult.Unclear unclear
        && store.head(key).isEmpty()) {
      throw StoreErrors.failed("keep a job's report: " + unclear.cause(), key, null);
    }
    return key;
  }

  /** Keys of all parts of a run: one LIST. */
  List<String> list(UUID run) {
    List<String> out = new ArrayList<>();
    Optional<String> page = Optional.empty();
    do {
      ListPage list = store.list(prefix(run), page);
      list.objects().stream().map(ObjectMeta::key).forEach(out::add);
      page = list.next();
    } while (page.isPresent());
    return out;
  }

  Part read(String key) {
    StoredObject object = store.get(key).orElseThrow(() -> FileErrors.missing(KIND, key));
    JsonTree tree = JsonTree.parse(KIND, key, object.bytes());
    return new Part(
        tree.children("files").stream().map(CandidateFile::of).toList(),
        new Balance(tree.number("source"), tree.number("accepted"), tree.number("quarantined")),
        QuarantineReport.of(tree, "quarantine"));
  }

  private String prefix(UUID run) {
    return folder + "part-" + digits(run) + "-";
  }

  private static String digits(UUID id) {
    return id.toString().replace("-", "");
  }
}
