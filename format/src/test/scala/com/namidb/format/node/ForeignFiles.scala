package com.namidb.format.node

import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.util.{Map => JMap}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.namidb.format.id.NodeId
import org.apache.hadoop.conf.Configuration
import org.apache.parquet.column.ParquetProperties.WriterVersion
import org.apache.parquet.column.page.PageReadStore
import org.apache.parquet.example.data.Group
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter
import org.apache.parquet.hadoop.{ParquetFileReader, ParquetWriter}
import org.apache.parquet.hadoop.api.WriteSupport
import org.apache.parquet.hadoop.metadata.CompressionCodecName
import org.apache.parquet.io.{ColumnIOFactory, DelegatingSeekableInputStream, InputFile, OutputFile}
import org.apache.parquet.io.{PositionOutputStream, SeekableInputStream}
import org.apache.parquet.io.api.{Binary, RecordConsumer}
import org.apache.parquet.schema.MessageType

/** Files of the library's own writer and its own reader: the other side of every comparison. */
object ForeignFiles {

  /** How to write. */
  final case class Layout(
      v2: Boolean = false,
      dictionary: Boolean = false,
      codec: CompressionCodecName = CompressionCodecName.UNCOMPRESSED,
      groupRows: Int = 1000,
      pageRows: Int = 100,
      pageBytes: Int = 1 << 20,
      statistics: Boolean = true,
      checksum: Boolean = false
  )

  def write(rows: Seq[PlainRow], layout: Layout, schema: MessageType = NodeSchema.message()): Array[Byte] =
    write(layout, schema, rows)(row(_, _))

  /** Writes anything: {@code emit} calls the consumer between start and end of a message. */
  def write[T](layout: Layout, schema: MessageType, rows: Seq[T])(
      emit: (RecordConsumer, T) => Unit
  ): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val file = new BytesOutputFile(out)
    val support = new WriteSupport[T] {
      private var consumer: RecordConsumer = _
      override def init(c: Configuration) = new WriteSupport.WriteContext(schema, JMap.of())
      override def prepareForWrite(r: RecordConsumer): Unit = consumer = r
      override def write(t: T): Unit = {
        consumer.startMessage()
        emit(consumer, t)
        consumer.endMessage()
      }
    }
    val writer = new Builder[T](file, support)
      .withConf(new Configuration(false))
      .withWriterVersion(if (layout.v2) WriterVersion.PARQUET_2_0 else WriterVersion.PARQUET_1_0)
      .withDictionaryEncoding(layout.dictionary)
      .withCompressionCodec(layout.codec)
      .withRowGroupRowCountLimit(layout.groupRows)
      .withPageRowCountLimit(layout.pageRows)
      .withPageSize(layout.pageBytes)
      .withMinRowCountForPageSizeCheck(1)
      .withStatisticsEnabled(layout.statistics)
      .withPageWriteChecksumEnabled(layout.checksum)
      .build()
    rows.foreach(writer.write)
    writer.close()
    out.toByteArray
  }

  private def row(c: RecordConsumer, r: PlainRow): Unit = {
    field(c, "node_id", 0)(c.addBinary(Binary.fromConstantByteArray(r.id.toBytes)))
    field(c, "tombstone", 1)(c.addBoolean(r.tombstone))
    field(c, "lsn", 2)(c.addLong(r.lsn))
    labels(c, r.labels.map(Option(_)), 3)
    r.json.foreach(j => field(c, "__overflow_json", 4)(c.addBinary(Binary.fromString(j))))
    field(c, "__schema_version", 5)(c.addLong(if (r.tombstone) 0 else 1))
  }

  def field(c: RecordConsumer, name: String, index: Int)(value: => Unit): Unit = {
    c.startField(name, index)
    value
    c.endField(name, index)
  }

  def labels(c: RecordConsumer, ids: Seq[Option[Int]], index: Int, leaf: String = "item"): Unit =
    field(c, "__labels", index) {
      c.startGroup()
      if (ids.nonEmpty) field(c, "list", 0) {
        ids.foreach { id =>
          c.startGroup()
          id.foreach(v => field(c, leaf, 0)(c.addInteger(v)))
          c.endGroup()
        }
      }
      c.endGroup()
    }

  /** Rows as the library reads them. */
  def read(bytes: Array[Byte]): Seq[PlainRow] = {
    val reader = ParquetFileReader.open(new BytesInputFile(bytes))
    val out = mutable.Buffer[PlainRow]()
    try {
      val schema = reader.getFooter.getFileMetaData.getSchema
      val io = new ColumnIOFactory().getColumnIO(schema)
      var pages: PageReadStore = reader.readNextRowGroup()
      while (pages != null) {
        val records = io.getRecordReader(pages, new GroupRecordConverter(schema))
        for (_ <- 0L until pages.getRowCount) out += plain(records.read())
        pages = reader.readNextRowGroup()
      }
    } finally reader.close()
    out.toSeq
  }

  private def plain(g: Group): PlainRow = {
    val list = g.getGroup("__labels", 0)
    PlainRow(
      NodeId.of(g.getBinary("node_id", 0).getBytes, 0),
      g.getBoolean("tombstone", 0),
      g.getLong("lsn", 0),
      (0 until list.getFieldRepetitionCount("list"))
        .map(list.getGroup("list", _).getInteger("item", 0)),
      Option.when(g.getFieldRepetitionCount("__overflow_json") > 0)(g.getString("__overflow_json", 0))
    )
  }

  def encodings(bytes: Array[Byte]): Map[String, Set[String]] = {
    val reader = ParquetFileReader.open(new BytesInputFile(bytes))
    try
      reader.getFooter.getBlocks.asScala
        .flatMap(_.getColumns.asScala)
        .groupBy(_.getPath.toArray.head)
        .map { case (k, v) => k -> v.flatMap(_.getEncodings.asScala.map(_.name)).toSet }
    finally reader.close()
  }

  private final class Builder[T](file: OutputFile, support: WriteSupport[T])
      extends ParquetWriter.Builder[T, Builder[T]](file) {
    override protected def self(): Builder[T] = this
    override protected def getWriteSupport(c: Configuration): WriteSupport[T] = support
  }

  private final class BytesOutputFile(out: ByteArrayOutputStream) extends OutputFile {
    override def create(hint: Long): PositionOutputStream = new PositionOutputStream {
      override def getPos: Long = out.size.toLong
      override def write(b: Int): Unit = out.write(b)
      override def write(b: Array[Byte], o: Int, n: Int): Unit = out.write(b, o, n)
    }
    override def createOrOverwrite(hint: Long): PositionOutputStream = create(hint)
    override def supportsBlockSize(): Boolean = false
    override def defaultBlockSize(): Long = 0
  }

  final class BytesInputFile(bytes: Array[Byte]) extends InputFile {
    override def getLength: Long = bytes.length.toLong
    override def newStream(): SeekableInputStream = {
      val buffer = ByteBuffer.wrap(bytes)
      val in = new java.io.InputStream {
        override def read(): Int = if (buffer.hasRemaining) buffer.get & 0xff else -1
        override def read(b: Array[Byte], o: Int, n: Int): Int = {
          val k = math.min(n, buffer.remaining)
          if (k == 0 && n > 0) -1 else { buffer.get(b, o, k); k }
        }
      }
      new DelegatingSeekableInputStream(in) {
        override def getPos: Long = buffer.position().toLong
        override def seek(p: Long): Unit = buffer.position(p.toInt)
      }
    }
  }
}
