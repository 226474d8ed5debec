package com.namidb.format.store.s3;

import com.namidb.format.error.StoreErrors;
import java.io.IOException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Takes a whole object; one that breaks off is asked for again. */
final class WholeBody implements ResponseTransformer<GetObjectResponse, WholeBody.Read> {
  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final String key;

  /** What came: headers and bytes. */
  static final class Read {
    final GetObjectResponse response;
    final byte[] bytes;

    Read(GetObjectResponse response, byte[] bytes) {
      this.response = response;
      this.bytes = bytes;
    }
  }

  WholeBody(String key) {
    this.key = key;
  }

  @Override
  public Read transform(GetObjectResponse response, AbortableInputStream in) {
    Long length = response.contentLength();
    if (length != null && length > MAX_ARRAY_BYTES) {
      in.abort();
      throw StoreErrors.tooLarge(key, length);
    }
    try {
      byte[] bytes = in.readAllBytes();
      if (length != null && bytes.length != length) {
        throw RetryableException.create("the body ended early");
      }
      return new Read(response, bytes);
    } catch (IOException e) {
      throw RetryableException.create("the body broke off", e);
    }
  }
}
