package com.namidb.spark.write;

import com.namidb.format.manifest.GraphSchema;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Labels whose nodes must differ in some properties. Source: values §2.2. */
final class UniqueLabels {
  private UniqueLabels() {}

  /** All of them. */
  static Set<String> of(GraphSchema schema) {
    Set<String> out = new TreeSet<>();
    schema.constraints().forEach(c -> out.add(c.label()));
    schema
        .labels()
        .forEach(
            (label, defs) -> {
              if (defs.stream().anyMatch(GraphSchema.PropertyDef::unique)) {
                out.add(label);
              }
            });
    return out;
  }

  /** Those where some of these properties matter: others may change freely. */
  static Set<String> touched(GraphSchema schema, Collection<String> properties) {
    Set<String> out = new TreeSet<>();
    schema.constraints().stream()
        .filter(c -> c.properties().stream().anyMatch(properties::contains))
        .forEach(c -> out.add(c.label()));
    schema
        .labels()
        .forEach(
            (label, defs) -> {
              if (defs.stream().anyMatch(d -> d.unique() && properties.contains(d.name()))) {
                out.add(label);
              }
            });
    return out;
  }
}
