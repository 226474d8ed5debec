package com.namidb.format.error;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the known names a mistyped one may have meant, by edits and swaps of neighbours. */
public final class NearestName {
  private static final int SHOWN = 3;

  private NearestName() {}

  /** At most three known names, best first; those that only differ in case come before all. */
  public static List<String> of(String name, Collection<String> known) {
    int limit = name.length() <= 3 ? 1 : Math.max(2, name.length() / 3);
    List<Candidate> near = new ArrayList<>();
    for (String k : known) {
      // Names are compared only when their lengths allow it: a graph may have many labels.
      if (Math.abs(k.length() - name.length()) > limit) {
        continue;
      }
      int d = distance(fold(name), fold(k));
      if (d <= limit && d < Math.max(name.length(), 1)) {
        near.add(new Candidate(k, d));
      }
    }
    near.sort(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name));
    return near.stream().limit(SHOWN).map(Candidate::name).toList();
  }

  private static String fold(String s) {
    return s.toLowerCase(Locale.ROOT);
  }

  /** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
  public static int distance(String a, String b) {
    int[] older = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + same);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          row[j] = Math.min(row[j], older[j - 2] + 1);
        }
      }
      int[] free = older;
      older = last;
      last = row;
      row = free;
    }
    return last[b.length()];
  }

  private record Candidate(String name, int distance) {}
}
