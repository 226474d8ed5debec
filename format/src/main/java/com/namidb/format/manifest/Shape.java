package com.namidb.format.manifest;

/** What the value of a member must look like. */
interface Shape {
  /**
   * Checks the value under the cursor and moves to its end.
   *
   * @return what the model keeps of it, {@code null} if nothing
   */
  Object read(JsonCursor in);
}
