package com.namidb.format.store.s3;

import com.namidb.format.store.ByteRange;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Takes exactly the bytes asked for out of an answer, or tells that the object ends before. Nothing
 * is allocated before the answer says how much it holds, and a body that breaks off is asked for
 * again.
 */
final class RangeBody implements ResponseTransformer<GetObjectResponse, Optional<byte[]>> {
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/.*");

  private final ByteRange range;

  RangeBody(ByteRange range) {
    this.range = range;
  }

  @Override
  public Optional<byte[]> transform(GetObjectResponse response, AbortableInputStream in) {
    long start = 0;
    Long length = response.contentLength();
    long end = length == null ? 0 : length;
    if (response.contentRange() != null) {
      Matcher m = CONTENT_RANGE.matcher(response.contentRange());
      if (!m.matches()) {
        throw wrong(response.contentRange());
      }
      start = Long.parseLong(m.group(1));
      end = Long.parseLong(m.group(2)) + 1;
      if (length != null && length != end - start) {
        throw wrong(response.contentRange() + " with " + length + " bytes");
      }
    }
    if (start > range.offset()) {
      throw wrong(String.valueOf(response.contentRange()));
    }
    if (end < range.end()) {
      in.abort();
      return Optional.empty();
    }
    try {
      // A store that knows no ranges sends the whole object.
      in.skipNBytes(range.offset() - start);
      byte[] bytes = in.readNBytes(range.length());
      if (bytes.length < range.length()) {
        throw RetryableException.create("the body ended early");
      }
      drain(in, end - range.end());
      return Optional.of(bytes);
    } catch (IOException e) {
      throw RetryableException.create("the body broke off", e);
    }
  }

  /** Reads up to the end so that the connection can be used again, unless much is left. */
  private static void drain(AbortableInputStream in, long left) throws IOException {
    if (left > 0) {
      in.abort();
    } else if (in.read() >= 0) {
      throw RetryableException.create("the body is longer than it should be");
    }
  }

  private SdkClientException wrong(String got) {
    return SdkClientException.create("asked for " + range + ", the store sent " + got);
  }
}
