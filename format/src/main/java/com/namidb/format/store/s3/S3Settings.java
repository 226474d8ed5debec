package com.namidb.format.store.s3;

import com.namidb.format.error.S3Errors;
import com.namidb.format.store.StoreConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The options of one store, checked. Its text form shows no value. Source: contract §2.
 *
 * @param endpoint where the store is, {@code null} for AWS
 * @param region {@code null} for what the environment says
 * @param pathStyle whether the bucket is part of the path and not of the host name
 * @param keys where keys come from
 * @param encryption what the store is asked to encrypt new objects with
 */
record S3Settings(
    URI endpoint, String region, boolean pathStyle, KeySource keys, Encryption encryption) {
  static final String ENDPOINT = "s3.endpoint";
  static final String REGION = "s3.region";
  static final String PATH_STYLE = "s3.path-style";
  static final String ALLOW_HTTP = "s3.allow-http";
  static final String ACCESS_KEY = "s3.access-key-id";
  static final String SECRET_KEY = "s3.secret-access-key";
  static final String SESSION_TOKEN = "s3.session-token";
  static final String PROVIDER = "s3.credentials-provider";
  static final String ENCRYPTION = "s3.server-side-encryption";
  static final String KMS_KEY = "s3.kms-key-id";

  private static final List<String> NAMES =
      List.of(
          ENDPOINT,
          REGION,
          PATH_STYLE,
          ALLOW_HTTP,
          ACCESS_KEY,
          SECRET_KEY,
          SESSION_TOKEN,
          PROVIDER,
          ENCRYPTION,
          KMS_KEY);

  /**
   * Where keys come from; all {@code null} for the default chain.
   *
   * @param accessKeyId given key
   * @param secretAccessKey given secret
   * @param sessionToken token of temporary keys, may be {@code null}
   * @param provider class that supplies them
   */
  record KeySource(
      String accessKeyId, String secretAccessKey, String sessionToken, String provider) {
    @Override
    public String toString() {
      return "KeySource[***]";
    }
  }

  /**
   * Encryption by the store.
   *
   * @param kind {@code AES256}, {@code aws:kms}, or {@code null} for what the bucket says
   * @param kmsKey key of {@code aws:kms}, {@code null} for the account's own
   */
  record Encryption(String kind, String kmsKey) {}

  /**
   * Checks the options; makes no request.
   *
   * @throws com.namidb.format.error.InvalidOptionException if one is unknown or has no sense; no
   *     message shows a value that may be secret
   */
  static S3Settings of(StoreConfig config) {
    Map<String, String> options = config.options();
    for (String name : options.keySet()) {
      if (!NAMES.contains(name)) {
        throw S3Errors.unknownOption(name, NAMES);
      }
    }
    URI endpoint = endpoint(options);
    return new S3Settings(
        endpoint,
        text(options, REGION).orElse(null),
        flag(options, PATH_STYLE).orElse(endpoint != null),
        keys(options),
        encryption(options));
  }

  private static URI endpoint(Map<String, String> options) {
    Optional<String> given = text(options, ENDPOINT);
    if (given.isEmpty()) {
      return null;
    }
    Optional<Boolean> http = flag(options, ALLOW_HTTP);
    String text = given.get();
    if (!text.contains("://")) {
      text = (http.orElse(false) ? "http://" : "https://") + text;
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw S3Errors.badOption(ENDPOINT, "it is no address", "Use https://<host>[:<port>].");
    }
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawQuery() != null) {
      throw S3Errors.badOption(
          ENDPOINT,
          "it has no plain host name, or a user, password or query",
          "Use https://<host>[:<port>]; keys have options of their own.");
    }
    if (!scheme.equals("https") && !scheme.equals("http")) {
      throw S3Errors.badOption(
          ENDPOINT, "its scheme is neither https nor http", "Use https://<host>[:<port>].");
    }
    if (scheme.equals("http") && !http.orElse(true)) {
      throw S3Errors.badOption(
          ENDPOINT,
          "it starts with http:// while " + ALLOW_HTTP + " is false",
          "Use https://, or allow unencrypted traffic.");
    }
    return uri;
  }

  private static KeySource keys(Map<String, String> options) {
    String id = text(options, ACCESS_KEY).orElse(null);
    String secret = text(options, SECRET_KEY).orElse(null);
    String token = text(options, SESSION_TOKEN).orElse(null);
    String provider = text(options, PROVIDER).orElse(null);
    if ((id == null) != (secret == null) || (token != null && id == null)) {
      throw S3Errors.badOption(
          id == null ? ACCESS_KEY : SECRET_KEY,
          "it is missing while another part of the keys is given",
          "Give " + ACCESS_KEY + " and " + SECRET_KEY + " together, or neither.");
    }
    if (provider != null && id != null) {
      throw S3Errors.badOption(
          PROVIDER, "keys are given as well", "Give either the keys or the class, not both.");
    }
    return new KeySource(id, secret, token, provider);
  }

  private static Encryption encryption(Map<String, String> options) {
    String kind = text(options, ENCRYPTION).orElse(null);
    String key = text(options, KMS_KEY).orElse(null);
    if (kind != null && !kind.equals("AES256") && !kind.equals("aws:kms")) {
      throw S3Errors.badOption(
          ENCRYPTION, "it is neither AES256 nor aws:kms", "Use one of them, or leave it out.");
    }
    if (key != null && !"aws:kms".equals(kind)) {
      throw S3Errors.badOption(
          KMS_KEY, "it needs " + ENCRYPTION + "=aws:kms", "Set that, or leave the key out.");
    }
    return new Encryption(kind, key);
  }

  private static Optional<String> text(Map<String, String> options, String name) {
    return Optional.ofNullable(options.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }

  private static Optional<Boolean> flag(Map<String, String> options, String name) {
    Optional<String> text = text(options, name).map(v -> v.toLowerCase(Locale.ROOT));
    if (text.isPresent() && !text.get().equals("true") && !text.get().equals("false")) {
      throw S3Errors.badOption(name, "it is neither true nor false", "Use true or false.");
    }
    return text.map(Boolean::parseBoolean);
  }

  @Override
  public String toString() {
    return "S3Settings[***]";
  }
}
