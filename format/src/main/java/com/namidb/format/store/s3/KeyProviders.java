package com.namidb.format.store.s3;

import com.namidb.format.error.S3Errors;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * From settings to something that supplies keys. Only names of providers travel to tasks, so every
 * JVM asks anew and a long job sees rotated keys.
 */
final class KeyProviders {
  private KeyProviders() {}

  /** Makes the provider; asks for no keys yet. */
  static AwsCredentialsProvider of(S3Settings.KeySource source) {
    if (source.accessKeyId() != null) {
      return StaticCredentialsProvider.create(
          credentials(
              source.accessKeyId(),
              source.secretAccessKey(),
              Optional.ofNullable(source.sessionToken())));
    }
    return source.provider() == null
        ? DefaultCredentialsProvider.builder().build()
        : named(source.provider());
  }

  private static AwsCredentials credentials(String id, String secret, Optional<String> token) {
    return token.isPresent()
        ? AwsSessionCredentials.create(id, secret, token.get())
        : AwsBasicCredentials.create(id, secret);
  }

  /**
   * The SDK is packed under other package names, so its providers are known by their simple names,
   * with or without the package that documentation gives them.
   */
  private static AwsCredentialsProvider named(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "DefaultCredentialsProvider" -> DefaultCredentialsProvider.builder().build();
      case "EnvironmentVariableCredentialsProvider" ->
          EnvironmentVariableCredentialsProvider.create();
      case "SystemPropertyCredentialsProvider" -> SystemPropertyCredentialsProvider.create();
      case "ProfileCredentialsProvider" -> ProfileCredentialsProvider.create();
      case "ContainerCredentialsProvider" -> ContainerCredentialsProvider.create();
      case "InstanceProfileCredentialsProvider" -> InstanceProfileCredentialsProvider.create();
      case "WebIdentityTokenFileCredentialsProvider" ->
          WebIdentityTokenFileCredentialsProvider.create();
      case "AnonymousCredentialsProvider" -> AnonymousCredentialsProvider.create();
      default -> own(name);
    };
  }

  private static AwsCredentialsProvider own(String name) {
    S3Credentials made;
    try {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      made =
          Class.forName(
                  name, true, context == null ? S3Credentials.class.getClassLoader() : context)
              .asSubclass(S3Credentials.class)
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw S3Errors.badProvider(name, S3Credentials.class.getName(), e);
    }
    return () -> {
      try {
        S3Credentials.Keys keys = made.keys();
        return credentials(keys.accessKeyId(), keys.secretAccessKey(), keys.sessionToken());
      } catch (RuntimeException e) {
        throw SdkClientException.create("no keys", e);
      }
    };
  }
}
