package com.namidb.format.stage;

import com.namidb.format.manifest.JsonTree;
import com.namidb.format.manifest.LabelDictionary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The content of {@code state.json}. Immutable. Source: protocol §2.
 *
 * @param binding what the job id is bound to: target, mode, options
 * @param run distinguishes a fresh start in the same folder from what was there before
 * @param phase how far it is
 * @param plan {@code null} until planned
 * @param parts frozen part keys, empty before sealing
 * @param attempts every attempt to publish so far
 * @param version version it was published as; meaningful in that phase only
 * @param updatedMillis last change by the driver's clock
 */
record JobState(
    String binding,
    UUID run,
    JobPhase phase,
    JobPlan plan,
    List<String> parts,
    List<Attempt> attempts,
    long version,
    long updatedMillis) {
  private static final String KIND = "Job state";

  JobState {
    parts = List.copyOf(parts);
    attempts = List.copyOf(attempts);
  }

  static JobState open(String binding, long now) {
    return new JobState(
        binding, UUID.randomUUID(), JobPhase.OPEN, null, List.of(), List.of(), 0, now);
  }

  JobState at(JobPhase next, long now) {
    return new JobState(binding, run, next, plan, parts, attempts, version, now);
  }

  JobState planned(JobPlan next) {
    return new JobState(binding, run, phase, next, parts, attempts, version, updatedMillis);
  }

  JobState listing(List<String> keys) {
    return new JobState(binding, run, phase, plan, keys, attempts, version, updatedMillis);
  }

  JobState with(Attempt attempt) {
    List<Attempt> all = new ArrayList<>(attempts);
    all.add(attempt);
    return new JobState(binding, run, phase, plan, parts, all, version, updatedMillis);
  }

  JobState as(long published) {
    return new JobState(binding, run, phase, plan, parts, attempts, published, updatedMillis);
  }

  byte[] toBytes() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("format", 1);
    out.put("binding", binding);
    out.put("run", run.toString());
    out.put("phase", phase.name());
    out.put("updated_millis", updatedMillis);
    if (plan != null) {
      Map<String, Object> p = new LinkedHashMap<>();
      p.put("base_version", Long.toUnsignedString(plan.baseVersion()));
      p.put("lsn", plan.lsn());
      p.put("labels", plan.labels().names());
      out.put("plan", p);
    }
    out.put("parts", parts);
    List<Object> tries = new ArrayList<>();
    for (Attempt a : attempts) {
      Map<String, Object> t = new LinkedHashMap<>();
      t.put("base_version", Long.toUnsignedString(a.baseVersion()));
      t.put("writer_id", a.writer().toString());
      t.put("ssts", a.ssts().stream().map(UUID::toString).toList());
      t.put("started_millis", a.startedMillis());
      tries.add(t);
    }
    out.put("attempts", tries);
    if (phase == JobPhase.PUBLISHED) {
      out.put("version", Long.toUnsignedString(version));
    }
    return JsonTree.write(out);
  }

  static JobState parse(String object, byte[] bytes) {
    JsonTree tree = JsonTree.parse(KIND, object, bytes);
    try {
      JobPlan plan = null;
      if (tree.has("plan")) {
        JsonTree p = tree.child("plan");
        plan =
            new JobPlan(
                Long.parseUnsignedLong(p.text("base_version")),
                p.number("lsn"),
                LabelDictionary.of(p.texts("labels")));
      }
      List<Attempt> attempts = new ArrayList<>();
      for (JsonTree t : tree.children("attempts")) {
        attempts.add(
            new Attempt(
                Long.parseUnsignedLong(t.text("base_version")),
                UUID.fromString(t.text("writer_id")),
                t.texts("ssts").stream().map(UUID::fromString).toList(),
                t.number("started_millis")));
      }
      return new JobState(
          tree.text("binding"),
          UUID.fromString(tree.text("run")),
          JobPhase.valueOf(tree.text("phase")),
          plan,
          tree.texts("parts"),
          attempts,
          tree.has("version") ? Long.parseUnsignedLong(tree.text("version")) : 0,
          tree.number("updated_millis"));
    } catch (IllegalArgumentException e) {
      throw tree.wrong("phase, run or attempts");
    }
  }
}
