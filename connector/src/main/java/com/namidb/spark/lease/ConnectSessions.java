package com.namidb.spark.lease;

import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import scala.Product;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Sessions of Spark Connect's clients. Their end is posted as an event; the session object itself
 * may stay reachable for hours after, from threads that Spark keeps for later queries.
 *
 * <p>Spark Connect need not be on the class path, so its event is read as the Scala product that it
 * is. A client's session is known by the tags of its operations, which begin alike.
 */
final class ConnectSessions extends SparkListener {
  private static final String CLOSED = "SparkListenerConnectSessionClosed";
  private static final String TAG = "SparkConnect_OperationTag_";

  private final Consumer<String> ended;

  /**
   * Follows an application's events.
   *
   * @param ended is told what the tags of all operations of a session that ended begin with
   */
  ConnectSessions(Consumer<String> ended) {
    this.ended = ended;
  }

  /** Tag of the client's operation that this thread runs; empty outside of Spark Connect. */
  static Optional<String> operation(SparkContext context) {
    return CollectionConverters.asJava(context.getJobTags()).stream()
        .filter(tag -> tag.startsWith(TAG))
        .findFirst();
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof Product closed && CLOSED.equals(closed.productPrefix())) {
      String user = field(closed, "userId");
      String session = field(closed, "sessionId");
      if (user != null && session != null) {
        ended.accept(TAG + "User_" + user + "_Session_" + session + "_");
      }
    }
  }

  private static String field(Product event, String name) {
    for (int i = 0; i < event.productArity(); i++) {
      if (name.equals(event.productElementName(i)) && event.productElement(i) instanceof String s) {
        return s;
      }
    }
    return null;
  }
}
