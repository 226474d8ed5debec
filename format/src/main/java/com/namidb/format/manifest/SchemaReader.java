package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.manifest.GraphSchema.Constraint;
import com.namidb.format.manifest.GraphSchema.EdgeTypeDef;
import com.namidb.format.manifest.GraphSchema.PropertyDef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The declared schema. Source: manifest §2.4. */
final class SchemaReader {
  private static final Set<String> RESERVED = Set.of("node_id", "tombstone", "lsn");
  private static final Shape NAMED_TYPE =
      Shapes.oneOf(
          "Bool",
          "Int32",
          "Int64",
          "Float32",
          "Float64",
          "Utf8",
          "LargeUtf8",
          "Binary",
          "Date32",
          "TimestampMicrosUtc",
          "Json");
  private static final Set<String> VECTOR_TYPES = Set.of("FloatVector", "Int8Vector");
  private static final ObjectShape VECTOR = new ObjectShape().need("dim", Shapes.SMALL);

  private static final ObjectShape PROPERTY =
      new ObjectShape()
          .need("name", Shapes.TEXT)
          .need("data_type", SchemaReader::dataType)
          .maybe("nullable", Shapes.BOOL)
          .maybe("unique", Shapes.BOOL)
          .maybe("indexed", Shapes.BOOL);
  private static final Shape PROPERTIES = Shapes.list(SchemaReader::property);
  private static final ObjectShape LABEL =
      new ObjectShape().need("name", Shapes.TEXT).need("properties", PROPERTIES);
  private static final ObjectShape EDGE_TYPE =
      new ObjectShape()
          .need("name", Shapes.TEXT)
          .need("src_label", Shapes.TEXT)
          .need("dst_label", Shapes.TEXT)
          .maybe("properties", PROPERTIES);
  private static final ObjectShape CONSTRAINT =
      new ObjectShape()
          .need("name", Shapes.TEXT)
          .need("label", Shapes.TEXT)
          .need("properties", Shapes.list(Shapes.TEXT))
          .need("kind", Shapes.oneOf("Unique"));
  private static final ObjectShape INDEX =
      new ObjectShape()
          .need("name", Shapes.TEXT)
          .need("label", Shapes.TEXT)
          .need("properties", Shapes.list(Shapes.TEXT));
  private static final ObjectShape SCHEMA =
      new ObjectShape()
          .need("version", Shapes.U64)
          .need("labels", Shapes.map(LABEL))
          .need("edge_types", Shapes.map(EDGE_TYPE))
          .maybe("constraints", Shapes.list(CONSTRAINT))
          .maybe("indexes", Shapes.checked(Shapes.list(INDEX)));

  private SchemaReader() {}

  /** Reads the schema under the cursor. */
  static GraphSchema read(JsonCursor in) {
    Members m = SCHEMA.read(in);
    Map<String, List<PropertyDef>> labels = new LinkedHashMap<>();
    m.map("labels").forEach((name, def) -> labels.put((String) name, properties((Members) def)));
    Map<String, EdgeTypeDef> types = new LinkedHashMap<>();
    m.map("edge_types")
        .forEach((name, def) -> types.put((String) name, edgeType((String) name, (Members) def)));
    List<Constraint> constraints = new ArrayList<>();
    for (Object c : m.list("constraints")) {
      Members constraint = (Members) c;
      constraints.add(
          new Constraint(
              constraint.text("name"), constraint.text("label"), texts(constraint, "properties")));
    }
    return new GraphSchema(labels, types, constraints);
  }

  private static EdgeTypeDef edgeType(String name, Members m) {
    return new EdgeTypeDef(name, m.text("src_label"), m.text("dst_label"), properties(m));
  }

  private static List<PropertyDef> properties(Members m) {
    List<PropertyDef> out = new ArrayList<>();
    m.list("properties").forEach(p -> out.add((PropertyDef) p));
    return out;
  }

  private static List<String> texts(Members m, String name) {
    List<String> out = new ArrayList<>();
    m.list(name).forEach(t -> out.add((String) t));
    return out;
  }

  private static Object property(JsonCursor in) {
    Members m = PROPERTY.read(in);
    String name = m.text("name");
    if (name.isEmpty()
        || name.startsWith("__")
        || name.startsWith("prop_")
        || RESERVED.contains(name)) {
      throw in.damaged("declares a property with the reserved name '" + name + "'");
    }
    DataType type = (DataType) m.value("data_type");
    return new PropertyDef(
        name, type.name, type.dim, m.flag("nullable"), m.flag("unique"), m.flag("indexed"));
  }

  private record DataType(String name, int dim) {}

  private static Object dataType(JsonCursor in) {
    if (in.token() != JsonToken.START_OBJECT) {
      return new DataType((String) NAMED_TYPE.read(in), 0);
    }
    if (in.next() != JsonToken.FIELD_NAME) {
      throw in.damaged("names no type");
    }
    String name = in.name();
    if (!VECTOR_TYPES.contains(name)) {
      throw in.unknown(name);
    }
    in.next();
    int dim = VECTOR.read(in).small("dim");
    if (in.next() != JsonToken.END_OBJECT) {
      throw in.damaged("names more than one type");
    }
    return new DataType(name, dim);
  }
}
