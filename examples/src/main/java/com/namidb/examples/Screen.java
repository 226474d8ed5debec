package com.namidb.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Console output of the examples: headings, sentences, aligned tables. */
final class Screen {
  private static final int LABEL_WIDTH = 14;
  private static final int MAX_CELL = 60;
  private static final int MAX_LINE = 100;

  private final PrintStream out;

  Screen(PrintStream out) {
    this.out = out;
  }

  void title(String text) {
    out.println();
    out.println("■ " + text);
    out.println("─".repeat(text.length() + 2));
  }

  void say(String text) {
    out.println(text.isEmpty() ? "" : "  " + text);
  }

  /** Longer words of others, in lines that fit. */
  void quote(String text) {
    StringBuilder line = new StringBuilder("  │");
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() > MAX_LINE) {
        out.println(line);
        line = new StringBuilder("  │");
      }
      line.append(' ').append(word);
    }
    out.println(line);
  }

  void code(String text) {
    out.println("  › " + text);
  }

  void row(String... cells) {
    StringBuilder s = new StringBuilder("  ");
    for (String c : cells) {
      s.append(String.format("%-" + (LABEL_WIDTH + 4) + "s", c));
    }
    out.println(s.toString().stripTrailing());
  }

  void table(Dataset<Row> data) {
    List<String[]> rows = new ArrayList<>();
    rows.add(data.columns());
    for (Row r : data.collectAsList()) {
      String[] cells = new String[r.size()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = cell(r, i);
      }
      rows.add(cells);
    }
    int[] width = new int[data.columns().length];
    for (String[] r : rows) {
      for (int i = 0; i < r.length; i++) {
        width[i] = Math.max(width[i], r[i].length());
      }
    }
    out.println();
    for (int i = 0; i < rows.size(); i++) {
      out.println("    " + line(rows.get(i), width));
      if (i == 0) {
        String[] rule = new String[width.length];
        Arrays.setAll(rule, c -> "─".repeat(width[c]));
        out.println("    " + line(rule, width));
      }
    }
    out.println();
  }

  private static String cell(Row r, int i) {
    String text =
        r.isNullAt(i)
            ? "–"
            : r.get(i) instanceof scala.collection.Seq
                ? String.join(", ", r.<String>getList(i))
                : r.get(i).toString();
    return text.length() <= MAX_CELL ? text : text.substring(0, MAX_CELL - 1) + "…";
  }

  private static String line(String[] cells, int[] width) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      s.append(cells[i]).append(" ".repeat(width[i] - cells[i].length() + 3));
    }
    return s.toString().stripTrailing();
  }
}
