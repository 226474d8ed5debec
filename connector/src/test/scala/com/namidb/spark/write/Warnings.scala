package com.namidb.spark.write

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property
import org.apache.logging.log4j.core.{LogEvent, Logger}

/** What a class says at WARN and above while something runs. */
object Warnings {
  def of(c: Class[_])(body: => Unit): Seq[String] = {
    val said = new ConcurrentLinkedQueue[String]
    val appender = new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
      override def append(e: LogEvent): Unit =
        if (e.getLevel.isMoreSpecificThan(Level.WARN)) said.add(e.getMessage.getFormattedMessage)
    }
    appender.start()
    val logger = LogManager.getLogger(c).asInstanceOf[Logger]
    val before = logger.getLevel
    logger.addAppender(appender)
    logger.setLevel(Level.WARN)
    try body finally {
      logger.removeAppender(appender)
      logger.setLevel(before)
    }
    said.asScala.toSeq
  }
}
