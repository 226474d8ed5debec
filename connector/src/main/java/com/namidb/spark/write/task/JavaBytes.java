package com.namidb.spark.write.task;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

/**
 * Objects as bytes by Java's own serialisation: Spark sends task results and parallelised data with
 * the serialiser a cluster chose, and Kryo cannot make records.
 */
public final class JavaBytes {
  private JavaBytes() {}

  /** The object as bytes, whole. */
  public static byte[] of(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail to be written", e);
    }
    return bytes.toByteArray();
  }

  /** The object of these bytes; its classes are looked for where Spark loaded the jar. */
  public static <T> T read(byte[] bytes, Class<T> type) {
    try (ObjectInputStream in = new Loaded(new ByteArrayInputStream(bytes))) {
      return type.cast(in.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("driver and tasks run the same classes", e);
    }
  }

  /** Finds our classes where Spark loaded the jar. */
  private static final class Loaded extends ObjectInputStream {
    Loaded(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass c)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(c.getName(), false, JavaBytes.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(c);
      }
    }
  }
}
