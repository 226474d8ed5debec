package com.namidb.format.value;

/** The storable types. Source: values §1.2. */
public enum ValueType {
  NULL,
  BOOL,
  INT64,
  FLOAT64,
  STRING,
  BYTES,
  VECTOR,
  INT8_VECTOR,
  DATE,
  DATETIME,
  LIST,
  MAP
}
