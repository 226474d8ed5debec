package com.namidb.spark.write.row;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.Manifest;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.types.GraphColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Finds out what columns mean, and refuses those that mean nothing. Contract §3, §6. */
public final class ShapeBuilder {
  private final WriteOptions options;
  private final StructType schema;
  private final Optional<Manifest> base;
  private final boolean edges;
  private final String scope;

  private ShapeBuilder(WriteOptions options, StructType schema, Optional<Manifest> base) {
    this.options = options;
    this.schema = schema;
    this.base = base;
    edges = options.target() instanceof TableTarget.EdgesOf;
    scope =
        options.target() instanceof TableTarget.NodesOf n
            ? n.label().orElse("")
            : ((TableTarget.EdgesOf) options.target()).type().orElseThrow();
  }

  /**
   * The shape of the rows.
   *
   * @param base version planned on, empty if there is no namespace yet
   * @throws com.namidb.format.error.InvalidOptionException if the columns do not fit the options
   */
  public static RowShape of(WriteOptions options, StructType schema, Optional<Manifest> base) {
    return new ShapeBuilder(options, schema, base).build();
  }

  private RowShape build() {
    boolean delete = options.mode() == WriteMode.DELETE;
    IdSource first;
    IdSource second = null;
    if (edges) {
      first = id(GraphColumns.SRC, options.keys().src(), options.keys().srcLabel());
      second = id(GraphColumns.DST, options.keys().dst(), options.keys().dstLabel());
    } else {
      first = id(GraphColumns.ID, options.keys().node(), scope);
    }
    boolean named =
        delete || options.mode() == WriteMode.PATCH || options.mode() == WriteMode.UPSERT;
    if (named && first instanceof IdSource.Fresh) {
      throw noId(GraphColumns.ID);
    }
    int labels = edges || delete ? -1 : labels();
    List<RequiredProperties.Rule> required = edges || delete ? List.of() : required();
    List<PropertyColumn> properties = delete ? List.of() : properties(labels);
    if (options.mode() == WriteMode.PATCH) {
      checkPatch(properties, labels);
    }
    return new RowShape(
        options.mode(), scope, first, second, labels, properties, options.values(), required);
  }

  /** What a patch keeps is not looked at, so it must not come under an index by a new label. */
  private void checkPatch(List<PropertyColumn> columns, int labels) {
    if (columns.isEmpty() && labels < 0) {
      throw WriteErrors.badWrite(
          "A patch without any column beside the ids changes nothing", "Add the changed columns.");
    }
    if (labels < 0 || base.isEmpty()) {
      return;
    }
    Set<String> indexed = new TreeSet<>();
    base.get().vectorIndexes().forEach(i -> indexed.add(i.property()));
    for (List<GraphSchema.PropertyDef> defs : base.get().schema().labels().values()) {
      defs.stream().filter(GraphSchema.PropertyDef::indexed).forEach(d -> indexed.add(d.name()));
    }
    columns.forEach(c -> indexed.remove(c.name()));
    if (!indexed.isEmpty()) {
      throw WriteErrors.badWrite(
          "Labels would be patched beside properties that an index of some label covers: "
              + String.join(", ", indexed),
          "Give these columns too, patch without _labels, or write the records whole.");
    }
  }

  private IdSource id(String column, List<String> keys, String label) {
    Optional<Integer> at = find(column);
    if (!keys.isEmpty()) {
      if (at.isPresent()) {
        throw WriteErrors.badWrite(
            "Ids are given twice: by column '" + column + "' and by key columns",
            "Drop the column, or leave the key option out.");
      }
      return new IdSource.Derived(label, keys.stream().map(this::key).toList());
    }
    if (at.isEmpty()) {
      if (column.equals(GraphColumns.ID)) {
        return new IdSource.Fresh();
      }
      throw noId(column);
    }
    DataType type = schema.fields()[at.get()].dataType();
    if (!(type instanceof StringType) && !(type instanceof BinaryType)) {
      throw WriteErrors.column(column, type.sql(), "Ids are STRING (UUID text) or BINARY (16).");
    }
    return new IdSource.Given(at.get(), column, type instanceof BinaryType);
  }

  private static RuntimeException noId(String column) {
    String key = column.equals(GraphColumns.ID) ? "key" : column.substring(1) + "-key";
    return WriteErrors.badWrite(
        "There is no column '" + column + "'",
        "Add it, or name key columns by option " + key + ".");
  }

  private IdSource.Key key(String name) {
    int at =
        find(name)
            .orElseThrow(
                () ->
                    WriteErrors.badWrite(
                        "There is no key column '" + name + "'",
                        "Columns that look alike: "
                            + NearestName.of(name, Arrays.asList(schema.fieldNames()))
                            + "."));
    DataType type = schema.fields()[at].dataType();
    if (!IdReader.derivable(type)) {
      throw WriteErrors.column(
          name,
          type.sql(),
          "Ids derive from strings, integers, booleans, dates, timestamps, binaries and decimals;"
              + " cast it.");
    }
    return new IdSource.Key(at, name, type);
  }

  private Optional<Integer> find(String name) {
    for (int i = 0; i < schema.size(); i++) {
      if (schema.fields()[i].name().equals(name)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private int labels() {
    Optional<Integer> at = find(GraphColumns.LABELS);
    if (at.isEmpty()) {
      return -1;
    }
    DataType type = schema.fields()[at.get()].dataType();
    if (!(type instanceof ArrayType a) || !(a.elementType() instanceof StringType)) {
      throw WriteErrors.column(GraphColumns.LABELS, type.sql(), "Labels are ARRAY<STRING>.");
    }
    return at.get();
  }

  /** Properties that nodes of some labels must have; none is declared by a statement. */
  private List<RequiredProperties.Rule> required() {
    List<RequiredProperties.Rule> out = new ArrayList<>();
    if (base.isEmpty()) {
      return out;
    }
    base.get()
        .schema()
        .labels()
        .forEach(
            (label, defs) -> {
              for (GraphSchema.PropertyDef def : defs) {
                int at = find(def.name()).orElse(-1);
                boolean whole = options.mode() != WriteMode.PATCH;
                if (!def.nullable() && at < 0 && whole && label.equals(scope)) {
                  throw WriteErrors.badWrite(
                      "There is no column '" + def.name() + "', and label '" + label + "' needs it",
                      "Add the column: the schema declares the property as not null.");
                }
                if (!def.nullable()) {
                  out.add(new RequiredProperties.Rule(label, def.name(), at));
                }
              }
            });
    return out;
  }

  private List<PropertyColumn> properties(int labels) {
    Set<String> ours = new HashSet<>();
    ours.add(edges ? GraphColumns.SRC : GraphColumns.ID);
    ours.add(edges ? GraphColumns.DST : GraphColumns.LABELS);
    List<String> ends = edges ? options.keys().all() : List.of();
    Set<String> seen = new HashSet<>();
    List<PropertyColumn> out = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      StructField field = schema.fields()[i];
      if (!seen.add(field.name())) {
        throw WriteErrors.badWrite(
            "Column '" + field.name() + "' is there twice", "Rename or drop one.");
      }
      if (GraphColumns.RESERVED.contains(field.name())) {
        if (!ours.contains(field.name())) {
          throw WriteErrors.column(
              field.name(), field.dataType().sql(), "The name is reserved: drop or rename it.");
        }
      } else if (!ends.contains(field.name())) {
        out.add(property(field, i, labels));
      }
    }
    checkVectorColumns(out);
    // Names and types are checked where the job is planned, not by the first row.
    new PropertyEncoder(out, options.values());
    return out;
  }

  private void checkVectorColumns(List<PropertyColumn> columns) {
    for (String name : options.values().vectors()) {
      if (columns.stream().noneMatch(c -> c.name().equals(name) && numbers(c.type()))) {
        throw WriteErrors.badWrite(
            "vector-columns names '" + name + "', which is no column of numeric arrays",
            "Name columns of type ARRAY<FLOAT>, ARRAY<DOUBLE> or of another number.");
      }
    }
  }

  private PropertyColumn property(StructField field, int at, int labels) {
    String name = field.name();
    int dim = 0;
    boolean vector = options.values().vectors().contains(name);
    boolean indexed = false;
    // Patched nodes may carry any label, and so may rows with a labels' column.
    boolean any = labels >= 0 || options.mode() == WriteMode.PATCH;
    if (!edges && base.isPresent()) {
      for (Manifest.VectorIndex index : base.get().vectorIndexes()) {
        boolean covers = any || index.label().equals(scope);
        if (covers && index.property().equals(name)) {
          if (field.dataType() instanceof ArrayType && !numbers(field.dataType())) {
            throw WriteErrors.column(
                name, field.dataType().sql(), "A vector index covers it: give arrays of numbers.");
          }
          vector = true;
          dim = index.dim();
        }
      }
      for (var label : base.get().schema().labels().entrySet()) {
        indexed |=
            (any || label.getKey().equals(scope))
                && label.getValue().stream()
                    .anyMatch(d -> d.name().equals(name) && (d.indexed() || d.unique()));
      }
    }
    return new PropertyColumn(name, at, field.dataType(), vector, dim, indexed);
  }

  private static boolean numbers(DataType type) {
    return type instanceof ArrayType a && a.elementType() instanceof NumericType;
  }
}
