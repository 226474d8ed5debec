package com.namidb.spark.metadata;

import java.math.BigDecimal;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** LSNs and the like are unsigned 64-bit numbers, which a BIGINT cannot hold. */
final class Unsigned {
  private static final int DIGITS = 20;

  static final DecimalType TYPE = DataTypes.createDecimalType(DIGITS, 0);

  private Unsigned() {}

  static Decimal of(long unsigned) {
    return Decimal.apply(
        scala.math.BigDecimal.javaBigDecimal2bigDecimal(
            new BigDecimal(Long.toUnsignedString(unsigned))),
        DIGITS,
        0);
  }
}
