package com.namidb.spark.write

import java.util.{Map => JMap, Set => JSet}

import scala.annotation.nowarn

import com.namidb.spark.source.NamiDataSource
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog.{SupportsWrite, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.distributions.Distribution
import org.apache.spark.sql.connector.expressions.{SortOrder, Transform}
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** Our writes, with a [[Doorman]] before a task's first row ("begun") and after its files are uploaded ("uploaded"). */
class StumblingSource extends TableProvider {
  override def supportsExternalMetadata: Boolean = true

  override def inferSchema(options: CaseInsensitiveStringMap): StructType =
    new NamiDataSource().inferSchema(new CaseInsensitiveStringMap(StumblingSource.without(options.asCaseSensitiveMap)))

  override def getTable(schema: StructType, partitioning: Array[Transform], properties: JMap[String, String]): Table =
    new StumblingTable(new NamiDataSource().getTable(schema, partitioning, StumblingSource.without(properties)).asInstanceOf[SupportsWrite],
      properties.get(StumblingSource.Port).toInt)
}

object StumblingSource {
  val Port = "doorman"

  def without(m: JMap[String, String]): JMap[String, String] = {
    val out = new java.util.HashMap[String, String](m)
    out.remove(Port)
    out
  }
}

private class StumblingTable(inner: SupportsWrite, port: Int) extends SupportsWrite {
  override def name: String = inner.name
  @nowarn("cat=deprecation") override def schema: StructType = inner.schema
  override def capabilities: JSet[TableCapability] = inner.capabilities

  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder = {
    val own = new LogicalWriteInfo {
      override def options = new CaseInsensitiveStringMap(StumblingSource.without(info.options.asCaseSensitiveMap))
      override def queryId: String = info.queryId
      override def schema: StructType = info.schema
    }
    val builder = inner.newWriteBuilder(own)
    new WriteBuilder { override def build(): Write = new StumblingWrite(builder.build().asInstanceOf[RequiresDistributionAndOrdering], port) }
  }
}

private class StumblingWrite(inner: RequiresDistributionAndOrdering, port: Int) extends RequiresDistributionAndOrdering {
  override def requiredDistribution: Distribution = inner.requiredDistribution
  override def requiredOrdering: Array[SortOrder] = inner.requiredOrdering

  override def toBatch: BatchWrite = {
    val batch = inner.toBatch
    new BatchWrite {
      override def createBatchWriterFactory(info: PhysicalWriteInfo): DataWriterFactory =
        new StumblingFactory(batch.createBatchWriterFactory(info), port)
      override def useCommitCoordinator: Boolean = batch.useCommitCoordinator
      override def commit(messages: Array[WriterCommitMessage]): Unit = batch.commit(messages)
      override def abort(messages: Array[WriterCommitMessage]): Unit = batch.abort(messages)
    }
  }
}

private class StumblingFactory(inner: DataWriterFactory, port: Int) extends DataWriterFactory {
  override def createWriter(partition: Int, task: Long): DataWriter[InternalRow] = {
    val writer = inner.createWriter(partition, task)
    new DataWriter[InternalRow] {
      private var begun = false
      override def write(row: InternalRow): Unit = {
        if (!begun) Doorman.pass(port, "begun")
        begun = true
        writer.write(row)
      }
      override def commit(): WriterCommitMessage = {
        val m = writer.commit()
        Doorman.pass(port, "uploaded")
        m
      }
      override def abort(): Unit = writer.abort()
      override def close(): Unit = writer.close()
    }
  }
}
