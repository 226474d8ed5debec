package com.namidb.format.store.s3;

import com.namidb.format.error.S3Errors;
import com.namidb.format.error.StoreException;
import com.namidb.format.store.PutResult;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What the SDK throws, as a result or as our own error. A write has no effect for sure only if the
 * store says so or the request never left; all else is unclear. Source: design §7.
 */
final class S3Results {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int SERVER_ERROR = 500;
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);

  /** What stores say of keys they do not know, whatever the status. */
  private static final Set<String> KEYS =
      Set.of(
          "AccessDenied",
          "ExpiredToken",
          "ExpiredTokenException",
          "InvalidAccessKeyId",
          "InvalidClientTokenId",
          "InvalidSecurity",
          "InvalidToken",
          "SignatureDoesNotMatch",
          "TokenRefreshRequired",
          "UnrecognizedClientException",
          "XAdminUserNotFound");

  private final String bucket;

  S3Results(String bucket) {
    this.bucket = bucket;
  }

  /** A request that gets the mark it has to carry, and its effect. */
  interface Sending extends Function<AtomicBoolean, PutResult> {}

  /** Sends a write once and tells what became of it. */
  PutResult write(String request, String key, Sending sending) {
    AtomicBoolean sent = new AtomicBoolean();
    try {
      return CutAnswer.once(() -> sending.apply(sent));
    } catch (AwsServiceException e) {
      return answered(request, key, e);
    } catch (SdkException e) {
      if (!sent.get() || neverConnected(e)) {
        throw failed(request, key, e);
      }
      return new PutResult.Unclear("no answer: " + reason(e));
    }
  }

  private PutResult answered(String request, String key, AwsServiceException e) {
    int status = e.statusCode();
    if (status == PRECONDITION_FAILED) {
      return new PutResult.Refused();
    }
    if (status == NOT_FOUND && code(e).equals("NoSuchKey")) {
      // What was to be replaced is gone.
      return new PutResult.Refused();
    }
    boolean unclear =
        status == CONFLICT
            || status >= SERVER_ERROR
            || status < 300 // an error that came after a success had been announced
            || PASSING.contains(status)
            || code(e).equals("RequestTimeout")
            || code(e).equals("NoSuchUpload"); // gone: finished by an earlier request, or dropped
    if (!unclear) {
      throw failed(request, key, e);
    }
    return new PutResult.Unclear(reason(e));
  }

  /** The error of a request that failed for good. */
  StoreException failed(String request, String key, SdkException e) {
    return S3Errors.failed(request, bucket, key, kind(e), reason(e), e);
  }

  /** Whether the answer says that there is no such object. */
  static boolean isMissing(SdkException e) {
    // An answer to HEAD has no body, so no code.
    return e instanceof AwsServiceException s
        && s.statusCode() == NOT_FOUND
        && (code(s).isEmpty() || code(s).equals("NoSuchKey") || code(s).equals("404"));
  }

  private static S3Errors.Kind kind(SdkException e) {
    if (!(e instanceof AwsServiceException s)) {
      return S3Errors.Kind.NETWORK;
    }
    if (KEYS.contains(code(s))) {
      return S3Errors.Kind.ACCESS;
    }
    return switch (s.statusCode()) {
      case 401, 403 -> S3Errors.Kind.ACCESS;
      case NOT_FOUND -> S3Errors.Kind.BUCKET;
      case 301, 307, 308, 400 -> S3Errors.Kind.ADDRESS;
      case 501 -> S3Errors.Kind.UNSUPPORTED;
      default -> S3Errors.Kind.OTHER;
    };
  }

  private static String reason(SdkException e) {
    if (e instanceof AwsServiceException s) {
      AwsErrorDetails details = s.awsErrorDetails();
      String message = details == null ? null : details.errorMessage();
      return String.format(Locale.ROOT, "HTTP %d", s.statusCode())
          + (code(s).isEmpty() ? "" : " " + code(s))
          + (message == null || message.isBlank() ? "" : ": " + message.strip());
    }
    Throwable inner = e;
    while (inner.getCause() != null && inner.getCause() != inner) {
      inner = inner.getCause();
    }
    return inner == e
        ? String.valueOf(e.getMessage())
        : inner.getClass().getSimpleName() + ": " + inner.getMessage();
  }

  private static boolean neverConnected(SdkException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof ConnectException
          || t instanceof NoRouteToHostException
          || t instanceof UnknownHostException
          || t instanceof SSLHandshakeException) {
        return true;
      }
    }
    return false;
  }

  private static String code(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    return code == null ? "" : code;
  }
}
