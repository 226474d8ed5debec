package com.namidb.spark.write.check;

import com.namidb.format.manifest.GraphSchema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * No two live nodes of a label may have the same values of these properties. Source: values §2.2.
 *
 * @param label the label
 * @param properties the properties, taken together
 */
public record UniqueRule(String label, List<String> properties) implements Serializable {
  /** Copies the list, so that it can be sent. */
  public UniqueRule {
    properties = new ArrayList<>(properties);
  }

  /** All rules of a schema; one that is declared twice counts once. */
  public static List<UniqueRule> of(GraphSchema schema) {
    Set<UniqueRule> out = new LinkedHashSet<>();
    schema.constraints().forEach(c -> out.add(new UniqueRule(c.label(), c.properties())));
    schema
        .labels()
        .forEach(
            (label, defs) ->
                defs.stream()
                    .filter(GraphSchema.PropertyDef::unique)
                    .forEach(d -> out.add(new UniqueRule(label, List.of(d.name())))));
    return List.copyOf(out);
  }

  /** What a row that breaks it is refused for. */
  String broken() {
    String names =
        properties.size() == 1
            ? "property '" + properties.get(0) + "'"
            : "the properties '" + String.join("', '", properties) + "' together";
    return names + " must be unique among nodes with label '" + label + "'";
  }
}
