package com.namidb.format.edge;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.Xxh3;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the sections of an edge SST one after the other and keeps what table, binding and page
 * checksums need to know of them. Source: edge §6.6.
 */
final class CsrOutput {
  private static final int PAGE = PageChecksums.WRITTEN_PAGE;

  private final ObjectUpload upload;
  private final HashStream64 fileHash = Xxh3.stream();
  private final HashStream64 rootHash = Xxh3.stream();
  private final ByteArrayOutputStream table = new ByteArrayOutputStream();
  private final ByteArrayOutputStream pageRecords = new ByteArrayOutputStream();
  private final byte[] page = new byte[PAGE];
  private int used;
  private long position;
  private int sections;
  private HashStream64 sectionHash;
  private long sectionStart;
  private final List<Long> pageHashes = new ArrayList<>();

  CsrOutput(ObjectUpload upload) {
    this.upload = upload;
  }

  /** Writes bytes outside of any section. */
  void raw(byte[] bytes) {
    upload(bytes, bytes.length);
  }

  private void upload(byte[] bytes, int length) {
    upload.write(bytes, 0, length);
    fileHash.putBytes(bytes, 0, length);
    position += length;
  }

  void begin() {
    sectionHash = Xxh3.stream();
    sectionStart = position;
    pageHashes.clear();
  }

  /** Adds bytes to the open section. */
  void put(byte[] bytes, int offset, int length) {
    int done = 0;
    while (done < length) {
      int n = Math.min(length - done, PAGE - used);
      System.arraycopy(bytes, offset + done, page, used, n);
      used += n;
      done += n;
      if (used == PAGE) {
        flush();
      }
    }
  }

  /** Adds everything that was spooled. */
  void put(Spool spool) {
    SpoolReader in = new SpoolReader(spool);
    long left = spool.size();
    while (left > 0) {
      int n = (int) Math.min(left, PAGE);
      int at = in.take(n);
      put(in.buffer(), at, n);
      left -= n;
    }
  }

  private void flush() {
    pageHashes.add(Xxh3.hash(page, 0, used));
    sectionHash.putBytes(page, 0, used);
    upload(page, used);
    used = 0;
  }

  /** Closes the open section and enters it into the table. */
  void end(int kind, int codec, String name) {
    if (used > 0) {
      flush();
    }
    long length = position - sectionStart;
    Section s = new Section(kind, sectionStart, length, codec, sectionHash.getAsLong(), name);
    byte[] entry = s.encode();
    table.writeBytes(entry);
    sections++;
    if (kind != SectionKind.SST_BINDING && kind != SectionKind.PAGE_CHECKSUMS) {
      rootHash.putBytes(entry);
    }
    byte[] record = new byte[PageChecksums.RECORD_BYTES + Long.BYTES * pageHashes.size()];
    LeBytes.put64(record, 0, s.offset());
    LeBytes.put64(record, 8, s.length());
    LeBytes.put32(record, 16, pageHashes.size());
    for (int i = 0; i < pageHashes.size(); i++) {
      LeBytes.put64(record, PageChecksums.RECORD_BYTES + Long.BYTES * i, pageHashes.get(i));
    }
    pageRecords.writeBytes(record);
  }

  /** A whole plain section. */
  void section(int kind, byte[] bytes) {
    begin();
    put(bytes, 0, bytes.length);
    end(kind, Section.CODEC_PLAIN, "");
  }

  /** Writes the PAGE_CHECKSUMS section over all sections so far. */
  void pageChecksums() {
    byte[] head = Arrays.copyOf(PageChecksums.MAGIC, PageChecksums.HEAD_BYTES);
    LeBytes.put32(head, 8, PAGE);
    LeBytes.put32(head, 12, sections);
    byte[] records = pageRecords.toByteArray();
    begin();
    put(head, 0, head.length);
    put(records, 0, records.length);
    end(SectionKind.PAGE_CHECKSUMS, Section.CODEC_PLAIN, "");
  }

  /** Hash for the binding: all entries so far. */
  long root() {
    return rootHash.getAsLong();
  }

  /** Writes footer and trailer. */
  void footer(EdgeFooter footer) {
    raw(footer.encode(table.toByteArray(), sections));
  }

  /** Bytes written so far. */
  long size() {
    return position;
  }

  /** XXH3 of all bytes written so far. */
  long hash() {
    return fileHash.getAsLong();
  }
}
