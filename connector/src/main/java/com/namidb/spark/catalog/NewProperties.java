package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.RowErrors;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.types.SparkSchemas;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of {@code ALTER TABLE … ADD COLUMN}, checked. */
final class NewProperties {
  private NewProperties() {}

  static List<StructField> of(TableName name, TableChange... changes) {
    if (name.target() instanceof TableTarget.MetadataOf) {
      throw CatalogErrors.metadata("ALTER TABLE", name.toString());
    }
    List<StructField> out = new ArrayList<>();
    for (TableChange change : changes) {
      if (!(change instanceof TableChange.AddColumn add)) {
        throw CatalogErrors.alter(said(change), name.toString());
      }
      out.add(field(name, add));
    }
    SparkSchemas.readable(new StructType(out.toArray(StructField[]::new)));
    return out;
  }

  /** As SQL says it, as far as a change tells. */
  private static String said(TableChange change) {
    if (change instanceof TableChange.SetProperty p) {
      return switch (p.property()) {
        case TableCatalog.PROP_COMMENT -> "COMMENT ON TABLE";
        case TableCatalog.PROP_LOCATION -> "ALTER TABLE … SET LOCATION";
        default -> "ALTER TABLE … SET TBLPROPERTIES ('" + p.property() + "' …)";
      };
    }
    if (change instanceof TableChange.RemoveProperty p) {
      return "ALTER TABLE … UNSET TBLPROPERTIES ('" + p.property() + "')";
    }
    if (change instanceof TableChange.RenameColumn) {
      return "ALTER TABLE … RENAME COLUMN";
    }
    if (change instanceof TableChange.DeleteColumn) {
      return "ALTER TABLE … DROP COLUMN";
    }
    return change instanceof TableChange.ColumnChange
        ? "ALTER TABLE … ALTER COLUMN"
        : "ALTER TABLE (" + change.getClass().getSimpleName() + ")";
  }

  private static StructField field(TableName name, TableChange.AddColumn add) {
    if (add.fieldNames().length != 1) {
      throw CatalogErrors.alter("Adding a field inside a column", name.toString());
    }
    if (!add.isNullable()) {
      throw CatalogErrors.alter("ADD COLUMN … NOT NULL", name.toString());
    }
    if (add.position() != null) {
      throw CatalogErrors.alter("ADD COLUMN … FIRST or AFTER", name.toString());
    }
    if (add.defaultValue() != null) {
      throw CatalogErrors.alter("ADD COLUMN … DEFAULT", name.toString());
    }
    String column = add.fieldNames()[0];
    // In any case: Spark would take such a column for ours by default.
    if (GraphColumns.RESERVED.contains(GraphColumns.folded(column))) {
      throw RowErrors.reserved(column);
    }
    return DataTypes.createStructField(column, add.dataType(), true);
  }
}
