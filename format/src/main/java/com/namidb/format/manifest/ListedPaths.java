package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The objects a version names, members this module does not know included: what deletes files must
 * see every accelerator of every engine release. Source: manifest §1.2, §2.5, §6.2.
 *
 * @param sure raw paths of SSTs and their sidecars, below {@code sst/level<L>/} or {@code
 *     bulk/<job>/}
 * @param perhaps every other text of the manifest that could be a path; whoever deletes keeps these
 *     as well
 */
public record ListedPaths(Set<String> sure, Set<String> perhaps) {
  private static final Pattern FILE =
      Pattern.compile("(sst/level[0-9]+|bulk/[A-Za-z0-9._-]+)/[^/]+");
  private static final String EDGES = ".ep.csr";
  private static final String POINTS = ".epidx";
  private static final String PATH = "path";

  /** Copies. */
  public ListedPaths {
    sure = Set.copyOf(sure);
    perhaps = Set.copyOf(perhaps);
  }

  /** Reads them from the text the manifest came from. */
  public static ListedPaths of(Manifest manifest) {
    Set<String> sure = new HashSet<>();
    Set<String> perhaps = new HashSet<>();
    try (JsonCursor in = JsonCursor.of("Manifest", "", manifest.document().bytes())) {
      String member = "";
      for (JsonToken t = in.next(); t != null; t = in.next()) {
        if (t == JsonToken.FIELD_NAME) {
          member = in.name();
        } else if (t == JsonToken.VALUE_STRING) {
          String text = in.text();
          if (isFile(text) && member.equals(PATH)) {
            sure.add(text);
            // The point index of an edge file has no member of its own.
            if (text.endsWith(EDGES)) {
              sure.add(text.substring(0, text.length() - EDGES.length()) + POINTS);
            }
          } else if (text.indexOf('/') >= 0) {
            perhaps.add(text);
          }
        }
      }
    }
    return new ListedPaths(sure, perhaps);
  }

  /** Whether a raw path, or the encoded one, is at a place where SSTs and their sidecars lie. */
  public static boolean isFile(String path) {
    return FILE.matcher(path).matches();
  }
}
