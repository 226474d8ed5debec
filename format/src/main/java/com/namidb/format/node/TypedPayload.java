package com.namidb.format.node;

import com.namidb.format.node.NodeSstFile.TypedColumn;
import com.namidb.format.record.RecordBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The legacy generation: typed columns first, then the JSON object, whose members win. Both become
 * one JSON object with the members in that order, because the last of equal names counts. Source:
 * node §4.
 */
final class TypedPayload implements PayloadColumn {
  private final PayloadColumn json;
  private final List<TypedReader> columns = new ArrayList<>();
  private final JsonText out = new JsonText();

  TypedPayload(PayloadColumn json) {
    this.json = json;
  }

  /** Adds a typed column, in any order. */
  void add(List<TypedColumn> declared, String column, PageStream pages) {
    for (TypedColumn t : declared) {
      if (column.equals(NodeSchema.TYPED_PREFIX + t.name())) {
        columns.add(TypedReader.of(t, pages));
      }
    }
  }

  @Override
  public int available() {
    return json.available();
  }

  @Override
  public void fill(RecordBatch batch, int n) {
    json.fill(batch, n);
    byte[] source = batch.payload();
    out.clear();
    int[] offset = batch.payloadOffset();
    int[] length = batch.payloadLength();
    for (int i = 0; i < n; i++) {
      int start = out.length();
      out.text("{");
      for (TypedReader c : columns) {
        c.append(out);
      }
      if (length[i] != RecordBatch.NO_PAYLOAD) {
        overlay(source, offset[i], offset[i] + length[i], out.length() > start + 1);
      } else if (out.length() > start + 1) {
        out.text("}");
      } else {
        out.cut(start);
        offset[i] = 0;
        continue;
      }
      offset[i] = start;
      length[i] = out.length() - start;
    }
    batch.payload(Arrays.copyOf(out.bytes(), out.length()));
  }

  private void overlay(byte[] b, int from, int to, boolean members) {
    int p = skipSpace(b, from, to);
    if (p == to || b[p] != '{') {
      throw new DamageException("a row's properties are not a JSON object");
    }
    p++;
    int first = skipSpace(b, p, to);
    if (members && first < to && b[first] != '}') {
      out.text(",");
    }
    out.raw(b, p, to - p);
  }

  private static int skipSpace(byte[] b, int from, int to) {
    int p = from;
    while (p < to && (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t')) {
      p++;
    }
    return p;
  }
}
