package com.namidb.format.node;

import com.namidb.format.node.NodeSstFile.TypedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * The message type of a node SST, and the test the engine makes on opening one: the same columns in
 * the same order with the same inferred types; whether a column may be null is not compared.
 * Source: node §2.1, §2.2, §4.
 */
final class NodeSchema {
  static final String ID = "node_id";
  static final String TOMBSTONE = "tombstone";
  static final String LSN = "lsn";
  static final String LABELS = "__labels";
  static final String JSON = "__overflow_json";
  static final String VERSION = "__schema_version";
  static final String TYPED_PREFIX = "prop_";

  private static final LogicalTypeAnnotation UINT64 = LogicalTypeAnnotation.intType(64, false);
  private static final LogicalTypeAnnotation UINT32 = LogicalTypeAnnotation.intType(32, false);

  private record Expected(String name, Predicate<Type> type) {}

  private NodeSchema() {}

  /** What is written: generation A exactly. */
  static MessageType message() {
    return Types.buildMessage()
        .addField(Types.required(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY).length(16).named(ID))
        .addField(Types.required(PrimitiveTypeName.BOOLEAN).named(TOMBSTONE))
        .addField(Types.required(PrimitiveTypeName.INT64).as(UINT64).named(LSN))
        .addField(
            Types.requiredGroup()
                .as(LogicalTypeAnnotation.listType())
                .repeatedGroup()
                .addField(Types.optional(PrimitiveTypeName.INT32).as(UINT32).named("item"))
                .named("list")
                .named(LABELS))
        .addField(
            Types.optional(PrimitiveTypeName.BINARY)
                .as(LogicalTypeAnnotation.stringType())
                .named(JSON))
        .addField(Types.required(PrimitiveTypeName.INT64).as(UINT64).named(VERSION))
        .named("arrow_schema");
  }

  /**
   * Refuses what the engine would refuse, except that a label-scoped file may lack {@code
   * __labels}.
   *
   * @param typed declared properties of the scope; {@code null} for id-primary
   */
  static void check(MessageType found, List<TypedColumn> typed) {
    List<Expected> expected = expected(typed);
    if (typed != null && !found.containsField(LABELS)) {
      expected.remove(3);
    }
    List<Type> fields = found.getFields();
    if (fields.size() != expected.size()) {
      throw new DamageException(
          "it has " + fields.size() + " columns instead of " + expected.size());
    }
    for (int i = 0; i < fields.size(); i++) {
      Type field = fields.get(i);
      Expected e = expected.get(i);
      boolean same = field.getName().equals(e.name) && !field.isRepetition(Repetition.REPEATED);
      if (!same || !e.type.test(field)) {
        throw new DamageException(
            "column " + i + " is \"" + field + "\", not a valid \"" + e.name + "\"");
      }
    }
  }

  private static List<Expected> expected(List<TypedColumn> typed) {
    List<Expected> out = new ArrayList<>();
    out.add(new Expected(ID, NodeSchema::id));
    out.add(new Expected(TOMBSTONE, t -> primitive(t, PrimitiveTypeName.BOOLEAN) && plain(t)));
    out.add(new Expected(LSN, NodeSchema::uint64));
    out.add(new Expected(LABELS, NodeSchema::labels));
    if (typed != null) {
      for (TypedColumn c : typed) {
        out.add(new Expected(TYPED_PREFIX + c.name(), t -> typed(t, c.dataType())));
      }
    }
    out.add(new Expected(JSON, NodeSchema::text));
    out.add(new Expected(VERSION, NodeSchema::uint64));
    return out;
  }

  private static boolean id(Type t) {
    return primitive(t, PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
        && t.asPrimitiveType().getTypeLength() == 16
        && (plain(t) || t.getLogicalTypeAnnotation() instanceof UUIDLogicalTypeAnnotation);
  }

  private static boolean uint64(Type t) {
    return primitive(t, PrimitiveTypeName.INT64) && UINT64.equals(t.getLogicalTypeAnnotation());
  }

  private static boolean text(Type t) {
    LogicalTypeAnnotation a = t.getLogicalTypeAnnotation();
    return primitive(t, PrimitiveTypeName.BINARY)
        && (a instanceof StringLogicalTypeAnnotation || a instanceof JsonLogicalTypeAnnotation);
  }

  private static boolean labels(Type t) {
    PrimitiveType item = listItem(t);
    return item != null
        && item.getPrimitiveTypeName() == PrimitiveTypeName.INT32
        && UINT32.equals(item.getLogicalTypeAnnotation())
        && item.isRepetition(Repetition.OPTIONAL)
        && item.getName().equals("item")
        && item.getId() == null;
  }

  /** The element of a three-level list; {@code null} if the field is anything else. */
  private static PrimitiveType listItem(Type t) {
    if (t.isPrimitive()
        || !(t.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation)
        || t.asGroupType().getFieldCount() != 1) {
      return null;
    }
    Type repeated = t.asGroupType().getType(0);
    if (repeated.isPrimitive() || !repeated.isRepetition(Repetition.REPEATED)) {
      return null;
    }
    GroupType group = repeated.asGroupType();
    if (group.getFieldCount() != 1 || !group.getType(0).isPrimitive()) {
      return null;
    }
    PrimitiveType item = group.getType(0).asPrimitiveType();
    return item.isRepetition(Repetition.REPEATED) ? null : item;
  }

  private static boolean typed(Type t, String dataType) {
    return switch (dataType) {
      case "Bool" -> primitive(t, PrimitiveTypeName.BOOLEAN);
      case "Int32" -> primitive(t, PrimitiveTypeName.INT32) && plain(t);
      case "Int64" -> primitive(t, PrimitiveTypeName.INT64) && plain(t);
      case "Float32" -> primitive(t, PrimitiveTypeName.FLOAT);
      case "Float64" -> primitive(t, PrimitiveTypeName.DOUBLE);
      case "Utf8", "LargeUtf8", "Json" -> text(t);
      case "Binary" -> primitive(t, PrimitiveTypeName.BINARY) && plain(t);
      case "Date32" ->
          primitive(t, PrimitiveTypeName.INT32)
              && LogicalTypeAnnotation.dateType().equals(t.getLogicalTypeAnnotation());
      case "TimestampMicrosUtc" ->
          primitive(t, PrimitiveTypeName.INT64)
              && t.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation a
              && a.getUnit() == LogicalTypeAnnotation.TimeUnit.MICROS
              && a.isAdjustedToUTC();
      case "FloatVector" -> {
        PrimitiveType item = listItem(t);
        yield item != null && item.getPrimitiveTypeName() == PrimitiveTypeName.FLOAT;
      }
      case "Int8Vector" ->
          primitive(t, PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
              && t.asPrimitiveType().getTypeLength() >= 4;
      default -> false;
    };
  }

  private static boolean primitive(Type t, PrimitiveTypeName name) {
    return t.isPrimitive() && t.asPrimitiveType().getPrimitiveTypeName() == name;
  }

  private static boolean plain(Type t) {
    return t.getLogicalTypeAnnotation() == null;
  }
}
