package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.manifest.Document.Piece;
import com.namidb.format.value.QuotedText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The SSTs of the single-object layout: by kind ({@code node}, {@code edge}; {@code search} for the
 * bodies of search indexes), then by level ({@code L0}, {@code L1}, …). Groups of other names are
 * carried through unread. Source: single-object manifest, "manifest.json".
 */
final class SstGroups {
  private static final String NODE = "node";
  private static final String EDGE = "edge";
  private static final String SEARCH = "search";
  private static final Set<String> KNOWN = Set.of(NODE, EDGE, SEARCH);
  private static final String FIRST_LEVEL = "L0";
  private static final Pattern LEVEL = Pattern.compile("L(0|[1-9][0-9]{0,8})");

  private final DescriptorReader descriptors = new DescriptorReader();
  private final List<SstDescriptor> ssts = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();

  List<SstDescriptor> ssts() {
    return ssts;
  }

  /** Where the text of each descriptor is. */
  List<Piece> pieces() {
    return pieces;
  }

  Map<Integer, Set<String>> propertyNames() {
    return descriptors.propertyNames();
  }

  /** Reads the value under the cursor. */
  void read(JsonCursor in) {
    in.expect(JsonToken.START_OBJECT, "an object");
    while (in.next() != JsonToken.END_OBJECT) {
      String group = in.name();
      in.next();
      if (!KNOWN.contains(group)) {
        in.skip();
        continue;
      }
      in.expect(JsonToken.START_OBJECT, "an object");
      while (in.next() != JsonToken.END_OBJECT) {
        int level = level(in);
        in.next();
        in.expect(JsonToken.START_ARRAY, "an array");
        while (in.next() != JsonToken.END_ARRAY) {
          int from = in.tokenStart();
          SstDescriptor sst = descriptors.read(in);
          if (!group(sst.kind()).equals(group) || sst.level() != level) {
            throw in.damaged("is listed under another kind or level than its own");
          }
          ssts.add(sst);
          pieces.add(new Piece("", from, in.valueEnd()));
        }
      }
    }
  }

  private static int level(JsonCursor in) {
    String name = in.name();
    if (!LEVEL.matcher(name).matches()) {
      throw in.damaged("is no level: levels are L0, L1, …");
    }
    return Integer.parseInt(name.substring(1));
  }

  private static String group(SstKind kind) {
    return switch (kind) {
      case NODES -> NODE;
      case EDGES_FWD, EDGES_INV -> EDGE;
      case OTHER -> SEARCH;
    };
  }

  /**
   * The text with SSTs added at the end of their kind's first level, and others left out; all that
   * stays is copied byte for byte.
   *
   * @param text value of {@code ssts} in the base
   */
  static byte[] edited(Manifest base, byte[] text, ManifestCodec.Change change) {
    Map<String, byte[]> groups = new LinkedHashMap<>();
    try (JsonCursor in = JsonCursor.of("Manifest", "its SSTs", text)) {
      in.next();
      Edit edit = new Edit(base, change);
      while (in.next() != JsonToken.END_OBJECT) {
        String group = in.name();
        in.next();
        int from = in.tokenStart();
        if (KNOWN.contains(group)) {
          groups.put(group, edit.group(group, in));
        } else {
          in.skip();
          groups.put(group, Arrays.copyOfRange(text, from, in.valueEnd()));
        }
      }
      for (String group : List.of(NODE, EDGE)) {
        groups.computeIfAbsent(group, g -> edit.group(g, new LinkedHashMap<>()));
      }
    }
    return object(groups);
  }

  /** Walks the base's descriptors in their order. */
  private static final class Edit {
    private final Manifest base;
    private final ManifestCodec.Change change;
    private int at;

    Edit(Manifest base, ManifestCodec.Change change) {
      this.base = base;
      this.change = change;
    }

    byte[] group(String group, JsonCursor in) {
      Map<String, SstList> levels = new LinkedHashMap<>();
      while (in.next() != JsonToken.END_OBJECT) {
        SstList list = levels.computeIfAbsent(in.name(), level -> new SstList());
        in.next();
        while (in.next() != JsonToken.END_ARRAY) {
          in.skip();
          if (!change.removed().contains(base.ssts().get(at).id())) {
            list.add(base.document().descriptor(at));
          }
          at++;
        }
      }
      return group(group, levels);
    }

    byte[] group(String group, Map<String, SstList> levels) {
      for (NewSst sst : change.added()) {
        if (SstGroups.group(sst.kind()).equals(group)) {
          levels
              .computeIfAbsent(FIRST_LEVEL, level -> new SstList())
              .add(sst.toJson(change.createdAt()));
        }
      }
      Map<String, byte[]> texts = new LinkedHashMap<>();
      levels.forEach((level, list) -> texts.put(level, list.toBytes()));
      return object(texts);
    }
  }

  private static byte[] object(Map<String, byte[]> members) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String before = "{";
    for (Map.Entry<String, byte[]> member : members.entrySet()) {
      write((before + QuotedText.of(member.getKey()) + ":").getBytes(StandardCharsets.UTF_8), out);
      write(member.getValue(), out);
      before = ",";
    }
    write((members.isEmpty() ? "{}" : "}").getBytes(StandardCharsets.UTF_8), out);
    return out.toByteArray();
  }

  private static void write(byte[] bytes, ByteArrayOutputStream out) {
    out.write(bytes, 0, bytes.length);
  }
}
