package com.namidb.spark.procedure;

import com.namidb.format.error.NamiException;
import java.util.Map;
import org.apache.spark.SparkThrowable;

/**
 * A name that stands for no procedure, in the form that Spark shows as it is: any other error of a
 * catalog's look-up becomes the cause of one that does not tell the names that look alike.
 */
final class NoSuchProcedureException extends RuntimeException implements SparkThrowable {
  private static final long serialVersionUID = 1L;

  private final String routine;

  /**
   * Says the same.
   *
   * @param routine the name, as it was called
   */
  NoSuchProcedureException(String routine, NamiException cause) {
    super(cause.getMessage(), cause);
    this.routine = routine;
  }

  @Override
  public String getCondition() {
    return "ROUTINE_NOT_FOUND";
  }

  @Override
  public Map<String, String> getMessageParameters() {
    return Map.of("routineName", routine);
  }
}
