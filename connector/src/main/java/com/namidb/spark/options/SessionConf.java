package com.namidb.spark.options;

import java.util.function.UnaryOperator;
import org.apache.spark.sql.internal.SQLConf;

/** The configuration of the active Spark session, as options are looked up in it. */
public final class SessionConf {
  private SessionConf() {}

  /** Gives a key's value as it is when asked for, {@code null} if it is not set. */
  public static UnaryOperator<String> lookup() {
    SQLConf conf = SQLConf.get();
    return key -> conf.getConfString(key, null);
  }
}
