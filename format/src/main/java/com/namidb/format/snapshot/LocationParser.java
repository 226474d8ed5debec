package com.namidb.format.snapshot;

import com.namidb.format.error.LocationErrors;
import com.namidb.format.error.NearestName;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.StoreConfig;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * From what a user writes to a {@link Location}. No error shows the query of a URI or its user
 * info, because they may hold credentials. Source: manifest §1.4, §1.5, contract §2.
 */
public final class LocationParser {
  private static final String LOCALHOST = "localhost/";
  private static final String DEFAULT_S3_ROOT = "tenants";
  private static final List<String> NAMES = List.of("ns", "namespace");
  private static final List<String> S3_NAMES =
      List.of("ns", "namespace", "region", "endpoint", "allow_http");
  private static final int SHORT_NAME = 4;
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*");
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9._-]{1,255}");

  private LocationParser() {}

  /**
   * Parses a store URI; makes no request.
   *
   * @param uri {@code file://<dir>}, {@code memory://<name>}, {@code s3://<bucket>[/<prefix>]} or
   *     {@code s3a://…}, each with an optional {@code ?ns=<namespace>}; without it {@code
   *     memory://<name>} means the namespace of that name. A relative directory is one below the
   *     working directory of this process; {@code file://localhost/…} is absolute
   * @param namespaceOption namespace; must equal that of the URI if both are given
   * @param rootOption root prefix that replaces the URI's; may be empty
   * @param storeOptions options of stores by name; those that start with the scheme and a dot go to
   *     the store and win over the URI's
   * @throws com.namidb.format.error.InvalidOptionException if the URI, the namespace or the root
   *     cannot be used
   */
  public static Location parse(
      String uri,
      Optional<String> namespaceOption,
      Optional<String> rootOption,
      Map<String, String> storeOptions) {
    int colon = uri.indexOf("://");
    if (colon < 0 || !SCHEME.matcher(uri.substring(0, colon)).matches()) {
      throw LocationErrors.badUri(shown(uri), "it does not start with a scheme and '://'");
    }
    int question = uri.indexOf('?');
    String scheme = uri.substring(0, colon).toLowerCase(Locale.ROOT);
    String rest = uri.substring(colon + 3, question < 0 ? uri.length() : question);
    String query = question < 0 ? "" : uri.substring(question + 1);
    Given given = new Given(shown(uri), rest, query, namespaceOption, rootOption);
    return switch (scheme) {
      case "file" -> file(given, storeOptions);
      case "memory" -> memory(given, storeOptions);
      case "s3", "s3a" -> s3(given, storeOptions);
      default -> throw LocationErrors.unknownScheme(scheme);
    };
  }

  private record Given(
      String shown,
      String rest,
      String query,
      Optional<String> namespaceOption,
      Optional<String> rootOption) {
    NamespacePaths paths(Optional<String> inUri, String rootInUri) {
      return new NamespacePaths(
          RootText.inFolder(rootOption.orElse(rootInUri)),
          namespace(shown, inUri, namespaceOption));
    }

    NamespacePaths pathsInBucket(Optional<String> inUri, String rootInUri) {
      return new NamespacePaths(
          RootText.inBucket(rootOption.orElse(rootInUri)),
          namespace(shown, inUri, namespaceOption));
    }
  }

  private static Location file(Given given, Map<String, String> storeOptions) {
    Map<String, String> query = query(given, given.query(), NAMES);
    if (given.rest().isEmpty()) {
      throw LocationErrors.badUri(given.shown(), "it names no directory");
    }
    try {
      String directory = resolved(Path.of(here(given.rest())).toAbsolutePath()).toString();
      StoreConfig store = new StoreConfig("file", directory, of("file", storeOptions));
      return new Location(store, given.paths(Optional.ofNullable(query.get("ns")), ""));
    } catch (InvalidPathException e) {
      throw LocationErrors.badUri(given.shown(), "it is no path here: " + e.getReason());
    }
  }

  /**
   * {@code file://localhost/x} is {@code file:///x}; a folder of that name is {@code ./localhost}.
   */
  private static String here(String rest) {
    boolean host = rest.regionMatches(true, 0, LOCALHOST, 0, LOCALHOST.length());
    return host ? rest.substring(LOCALHOST.length() - 1) : rest;
  }

  /**
   * One name for each folder, whatever links lead to it: pins and what is remembered of a graph go
   * by it. Absolute, because tasks may run in another working directory.
   */
  private static Path resolved(Path path) {
    Path above = path;
    while (above != null) {
      try {
        return above.toRealPath().resolve(above.relativize(path)).normalize();
      } catch (IOException e) {
        // Not there yet, or not to be looked at: the folder above it may be.
        above = above.getParent();
      }
    }
    return path.normalize();
  }

  private static Location memory(Given given, Map<String, String> storeOptions) {
    String name = given.rest();
    String namespace = query(given, given.query(), NAMES).getOrDefault("ns", name);
    if (!NAMESPACE.matcher(name).matches()) {
      throw LocationErrors.badNamespace(name);
    }
    StoreConfig store = new StoreConfig("memory", name, of("memory", storeOptions));
    return new Location(store, given.paths(Optional.of(namespace), ""));
  }

  private static Location s3(Given given, Map<String, String> storeOptions) {
    Map<String, String> query = query(given, withoutFragment(given.query()), S3_NAMES);
    String rest = given.rest();
    int hash = rest.indexOf('#');
    if (hash >= 0) {
      // What follows a fragment is no query either.
      rest = rest.substring(0, hash);
      query = Map.of();
    }
    int slash = rest.indexOf('/');
    String bucket = slash < 0 ? rest : rest.substring(0, slash);
    if (!BUCKET.matcher(bucket).matches()) {
      throw LocationErrors.badUri(
          given.shown(),
          "what follows '://' must be a bucket name, without user, password or port");
    }
    String prefix = slash < 0 ? "" : rest.substring(slash);
    Map<String, String> options = new HashMap<>();
    copy(query, "region", options, "s3.region");
    copy(query, "endpoint", options, "s3.endpoint");
    String allowHttp = query.get("allow_http");
    if (allowHttp != null) {
      boolean yes = allowHttp.equals("true") || allowHttp.equals("1") || allowHttp.equals("yes");
      options.put("s3.allow-http", Boolean.toString(yes));
    }
    options.putAll(of("s3", storeOptions));
    return new Location(
        new StoreConfig("s3", bucket, options),
        given.pathsInBucket(
            Optional.ofNullable(query.get("ns")),
            prefix.replace("/", "").isEmpty() ? DEFAULT_S3_ROOT : prefix));
  }

  /**
   * The parameters of a URI. The engine ignores those it does not know; so do we, unless one is
   * likely a mistyped one.
   */
  private static Map<String, String> query(Given given, String text, List<String> names) {
    Map<String, String> query = UriQuery.parse(text);
    for (String name : query.keySet()) {
      for (String known : S3_NAMES.contains(name) ? List.<String>of() : names) {
        int typos = known.length() < SHORT_NAME ? 1 : 2;
        String folded = name.toLowerCase(Locale.ROOT);
        if (!folded.isEmpty() && NearestName.distance(folded, known) <= typos) {
          throw LocationErrors.misspelled(given.shown(), name, known);
        }
      }
    }
    return query;
  }

  private static void copy(
      Map<String, String> query, String name, Map<String, String> options, String optionName) {
    String value = query.get(name);
    if (value != null && !value.isEmpty()) {
      options.put(optionName, value);
    }
  }

  private static Map<String, String> of(String scheme, Map<String, String> storeOptions) {
    return storeOptions.entrySet().stream()
        .filter(option -> option.getKey().startsWith(scheme + "."))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static String namespace(String shown, Optional<String> inUri, Optional<String> option) {
    if (inUri.isPresent() && option.isPresent() && !inUri.get().equals(option.get())) {
      throw LocationErrors.namespaceConflict(checked(inUri.get()), checked(option.get()));
    }
    return checked(inUri.or(() -> option).orElseThrow(() -> LocationErrors.noNamespace(shown)));
  }

  /** Whether a folder below the root can be a namespace at all. */
  static boolean isNamespace(String name) {
    return NAMESPACE.matcher(name).matches();
  }

  private static String checked(String namespace) {
    if (!isNamespace(namespace)) {
      throw LocationErrors.badNamespace(namespace);
    }
    return namespace;
  }

  private static String withoutFragment(String text) {
    int hash = text.indexOf('#');
    return hash < 0 ? text : text.substring(0, hash);
  }

  /** The URI without its query and without what may be credentials before an {@code @}. */
  private static String shown(String uri) {
    int question = uri.indexOf('?');
    String s = question < 0 ? uri : uri.substring(0, question);
    int at = s.lastIndexOf('@');
    int start = s.indexOf("://") < 0 ? 0 : s.indexOf("://") + 3;
    return at < start ? s : s.substring(0, start) + "***" + s.substring(at);
  }
}
