package com.namidb.format.store.s3;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The SDK's clients for one set of settings. All stores of a JVM with the same settings share one
 * pair and its connections: a task opens a store in no time.
 */
final class S3Clients {
  private static final int IDLE_KEPT = 4;
  private static final int CONNECTIONS = 128;
  private static final int SLOWEST_PAUSE_SECONDS = 20;
  private static final Map<Key, S3Clients> OPEN = new LinkedHashMap<>();

  private record Key(S3Settings settings, S3Timing timing) {}

  private final AwsCredentialsProvider keys;
  private final SdkHttpClient http;
  private final S3Client repeating;
  private final S3Client once;
  private final int attempts;
  private int users;

  private S3Clients(S3Settings settings, S3Timing timing) {
    attempts = timing.attempts();
    keys = KeyProviders.of(settings.keys());
    http =
        Apache5HttpClient.builder()
            .maxConnections(CONNECTIONS)
            .connectionTimeout(timing.connect())
            .socketTimeout(timing.idle())
            .expectContinueEnabled(false)
            .build();
    repeating = client(settings, timing, repeating(timing));
    once = client(settings, timing, AwsRetryStrategy.doNotRetry());
  }

  /** The clients for these settings; give them back with {@link #release}. */
  static S3Clients acquire(S3Settings settings, S3Timing timing) {
    synchronized (OPEN) {
      Key key = new Key(settings, timing);
      S3Clients clients = OPEN.remove(key);
      if (clients == null) {
        clients = new S3Clients(settings, timing);
      }
      OPEN.put(key, clients);
      clients.users++;
      return clients;
    }
  }

  /** Gives them back. A few unused ones stay open for the next task, the oldest are closed. */
  void release() {
    synchronized (OPEN) {
      users--;
      long idle = OPEN.values().stream().filter(c -> c.users == 0).count();
      Iterator<S3Clients> all = OPEN.values().iterator();
      while (idle > IDLE_KEPT && all.hasNext()) {
        S3Clients oldest = all.next();
        if (oldest.users == 0) {
          all.remove();
          oldest.close();
          idle--;
        }
      }
    }
  }

  /** Repeats a request that failed in a way that may pass. */
  S3Client repeating() {
    return repeating;
  }

  /** How often a request is tried that may be repeated. */
  int attempts() {
    return attempts;
  }

  /** Sends every request once. */
  S3Client once() {
    return once;
  }

  private void close() {
    repeating.close();
    once.close();
    http.close();
    if (keys instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  private static RetryStrategy repeating(S3Timing timing) {
    BackoffStrategy pauses =
        BackoffStrategy.exponentialDelay(
            timing.pause(), java.time.Duration.ofSeconds(SLOWEST_PAUSE_SECONDS));
    BackoffStrategy throttled =
        BackoffStrategy.exponentialDelay(
            timing.pause().multipliedBy(4), java.time.Duration.ofSeconds(SLOWEST_PAUSE_SECONDS));
    // Without the circuit breaker: attempts are few, and a store that was gone for a minute must
    // not fail the requests after it.
    return AwsRetryStrategy.configure(DefaultRetryStrategy.standardStrategyBuilder())
        .maxAttempts(timing.attempts())
        .backoffStrategy(pauses)
        .throttlingBackoffStrategy(throttled)
        .circuitBreakerEnabled(false)
        .retryOnException(CutAnswer::is)
        .build();
  }

  private S3Client client(S3Settings settings, S3Timing timing, RetryStrategy retries) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .credentialsProvider(keys)
            .region(region(settings))
            .forcePathStyle(settings.pathStyle())
            .serviceConfiguration(
                S3Configuration.builder()
                    .expectContinueEnabled(false)
                    // Without TLS parts of a body would be signed one by one, in the same framing.
                    .chunkedEncodingEnabled(false)
                    .build())
            // Bodies carry a plain header with their checksum, which every store understands or
            // ignores; the SDK's own way would wrap them in a framing that some store as it is.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_SUPPORTED)
            .overrideConfiguration(
                o ->
                    o.retryStrategy(retries)
                        .apiCallAttemptTimeout(timing.attempt())
                        .apiCallTimeout(timing.call())
                        .addExecutionInterceptor(SentMark.INTERCEPTOR));
    if (settings.endpoint() != null) {
      builder.endpointOverride(settings.endpoint());
    }
    return builder.build();
  }

  /** What is given, else what the environment says, else the engine's default. */
  private static Region region(S3Settings settings) {
    if (settings.region() != null) {
      return Region.of(settings.region());
    }
    // Other stores than AWS are not on machines that know their region.
    AwsRegionProvider provider =
        settings.endpoint() == null
            ? DefaultAwsRegionProviderChain.builder().build()
            : new AwsRegionProviderChain(
                new SystemSettingsRegionProvider(), new AwsProfileRegionProvider());
    try {
      Region region = provider.getRegion();
      return region == null ? Region.US_EAST_1 : region;
    } catch (SdkClientException e) {
      return Region.US_EAST_1;
    }
  }
}
