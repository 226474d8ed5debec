package com.namidb.format.manifest;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RFC 3339 times: any offset, up to nine fraction digits. Source: manifest §2.1. */
final class Rfc3339 {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})[Tt ](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,9}))?"
              + "(?:[Zz]|([+-])(\\d{2}):(\\d{2}))");
  private static final long MICROS = 1_000_000L;

  private Rfc3339() {}

  /**
   * Microseconds since 1970 UTC; finer digits are cut off. Second 60 counts as the next minute's
   * first.
   *
   * @throws IllegalArgumentException if the text is no such time
   */
  static long parseMicros(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not an RFC 3339 time");
    }
    int hour = number(m, 4);
    int minute = number(m, 5);
    int second = number(m, 6);
    int offsetHour = m.group(8) == null ? 0 : number(m, 9);
    int offsetMinute = m.group(8) == null ? 0 : number(m, 10);
    if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) {
      throw new IllegalArgumentException("'" + text + "' is not an RFC 3339 time");
    }
    long day;
    try {
      day = LocalDate.of(number(m, 1), number(m, 2), number(m, 3)).toEpochDay();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("'" + text + "' is not an RFC 3339 time", e);
    }
    long offset = (offsetHour * 60L + offsetMinute) * 60L;
    long seconds =
        day * 86_400L
            + (hour * 60L + minute) * 60L
            + second
            - ("-".equals(m.group(8)) ? -offset : offset);
    String fraction = m.group(7) == null ? "" : m.group(7);
    return seconds * MICROS + Integer.parseInt((fraction + "000000").substring(0, 6));
  }

  private static int number(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }
}
