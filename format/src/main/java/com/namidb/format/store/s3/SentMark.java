package com.namidb.format.store.s3;

import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Tells whether a request may have left this process: what fails before that, such as keys that
 * cannot be had, certainly changed nothing.
 */
final class SentMark {
  static final ExecutionAttribute<AtomicBoolean> ATTRIBUTE =
      new ExecutionAttribute<>("NamiSentMark");

  static final ExecutionInterceptor INTERCEPTOR =
      new ExecutionInterceptor() {
        @Override
        public void beforeTransmission(
            Context.BeforeTransmission context, ExecutionAttributes attributes) {
          AtomicBoolean mark = attributes.getAttribute(ATTRIBUTE);
          if (mark != null) {
            mark.set(true);
          }
        }
      };

  private SentMark() {}
}
