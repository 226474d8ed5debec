package com.namidb.examples;

import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.snapshot.Location;
import com.namidb.format.snapshot.LocationParser;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the graphs of an example are: a folder or a bucket. Reading and writing take {@link
 * #graph}; all else here is what Spark does not do by itself, since it knows no {@code s3://}.
 *
 * @param uri {@code file:///dir} or {@code s3://bucket/prefix}, with the store's parameters if it
 *     needs any
 */
record GraphRoot(String uri) {
  static GraphRoot of(Path folder) {
    return new GraphRoot("file://" + folder);
  }

  /** The URI of a graph. */
  String graph(String namespace) {
    return uri + (uri.contains("?") ? "&" : "?") + "ns=" + namespace;
  }

  /** How a path in a graph is called. */
  String name(String namespace, String path) {
    int question = uri.indexOf('?');
    String root = question < 0 ? uri : uri.substring(0, question);
    return root.replaceFirst("^file://", "").replaceFirst("/+$", "") + "/" + namespace + path;
  }

  /** A folder with copies of the objects below a path of a graph; it goes when this ends. */
  Path fetched(String namespace, String path) throws IOException {
    Path to = ScratchCopy.folder();
    Location location = location(namespace);
    String prefix = location.paths().prefix() + path + "/";
    try (ObjectStore store = StoreOpener.open(location.store())) {
      for (ObjectMeta object : store.listAll(prefix)) {
        Path file = to.resolve(object.key().substring(prefix.length()));
        Files.createDirectories(file.getParent());
        Files.write(file, store.get(object.key()).orElseThrow().bytes());
      }
    }
    return to;
  }

  /** Brings a graph there out of a folder, unless it is there. */
  void bring(String namespace, Path graph) throws IOException {
    Location location = location(namespace);
    NamespacePaths paths = location.paths();
    try (ObjectStore store = StoreOpener.open(location.store());
        Stream<Path> all = Files.walk(graph)) {
      if (store.head(paths.currentHint()).isPresent()) {
        return;
      }
      List<Path> files = new ArrayList<>(all.filter(Files::isRegularFile).sorted().toList());
      // Nothing is a graph before its newest version is known.
      Path hint = graph.resolve("manifest/current.json");
      files.remove(hint);
      files.add(hint);
      for (Path file : files) {
        store.put(paths.prefix() + graph.relativize(file), Files.readAllBytes(file));
      }
    }
  }

  private Location location(String namespace) {
    return LocationParser.parse(graph(namespace), Optional.empty(), Optional.empty(), Map.of());
  }
}
