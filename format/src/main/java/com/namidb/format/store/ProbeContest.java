package com.namidb.format.store;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.StoreErrors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Several writers who all want one object at the same moment. */
final class ProbeContest implements AutoCloseable {
  private static final int WAIT_SECONDS = 300;

  private final ObjectStore store;
  private final int writers;
  private final ExecutorService threads;
  private int rounds;

  ProbeContest(ObjectStore store, int writers) {
    this.store = store;
    this.writers = writers;
    threads =
        Executors.newFixedThreadPool(
            writers,
            r -> {
              Thread t = new Thread(r, "namidb-store-probe");
              t.setDaemon(true);
              return t;
            });
  }

  /**
   * Lets all of them write, each a body of its own.
   *
   * @return what the store did wrong
   */
  Optional<String> round(String key, Function<byte[], PutResult> put) {
    int number = rounds++;
    CyclicBarrier start = new CyclicBarrier(writers);
    List<Future<PutResult>> asked = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      byte[] body = body(number, i);
      asked.add(
          threads.submit(
              () -> {
                start.await();
                return put.apply(body);
              }));
    }
    List<PutResult> results = asked.stream().map(f -> result(key, f)).toList();
    long written = results.stream().filter(r -> r instanceof PutResult.Written).count();
    if (written > 1) {
      return Optional.of(written + " writers were all told that they had won");
    }
    Optional<StoredObject> there = store.get(key);
    for (int i = 0; i < writers; i++) {
      byte[] body = body(number, i);
      boolean stands = there.filter(o -> Arrays.equals(o.bytes(), body)).isPresent();
      if (results.get(i) instanceof PutResult.Written && !stands) {
        return Optional.of("the winner's bytes were replaced by another writer's");
      }
      if (results.get(i) instanceof PutResult.Refused && stands) {
        return Optional.of("a writer was refused, but its bytes stand there");
      }
    }
    boolean settled = results.stream().noneMatch(r -> r instanceof PutResult.Unclear);
    return written == 0 && settled ? Optional.of("nobody won") : Optional.empty();
  }

  private static byte[] body(int round, int writer) {
    return ("round " + round + " writer " + writer).getBytes(StandardCharsets.UTF_8);
  }

  private static PutResult result(String key, Future<PutResult> asked) {
    try {
      return asked.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NamiException known) {
        throw known;
      }
      boolean stopped = e.getCause() instanceof BrokenBarrierException;
      throw StoreErrors.failed(
          stopped ? "take part in a contest" : "answer in a contest", key, e.getCause());
    } catch (TimeoutException e) {
      throw StoreErrors.failed("answer in time", key, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreErrors.failed("answer before the interruption", key, e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
