package com.namidb.examples;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Makes the input of the backfill: an export of people and of who follows whom as CSV, the same at
 * every run. A few rows are bad, as in every export.
 */
final class BackfillData {
  /** Rows of {@code people.csv}, good and bad. */
  static final int PEOPLE = 120_000;

  /** Rows of {@code follows.csv}, good and bad. */
  static final int FOLLOWS = 400_000;

  /** People whose email is missing. */
  static final int NO_EMAIL = 40;

  /** People who are there twice; both rows are bad, because nobody knows which one is right. */
  static final int TWICE = 30;

  /** People whose score is no number. */
  static final int NO_SCORE = 25;

  /** Follows that lack one end. */
  static final int NO_END = 35;

  /** Follows of accounts that were deleted before the export. */
  static final int UNKNOWN_END = 80;

  private static final String[] FIRST = {
    "Ada", "Alan", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Jean",
    "John", "Katherine", "Ken", "Leslie", "Margaret", "Niklaus", "Radia", "Shafi", "Tim", "Yukihiro"
  };
  private static final String[] LAST = {
    "Abe", "Brook", "Castell", "Dorn", "Engel", "Farrow", "Garde", "Holm", "Ivers", "Jansen",
    "Kern", "Lund", "Marsh", "Nord", "Oake", "Pell", "Quist", "Ruiz", "Sand", "Thorn"
  };
  private static final String[] CITY = {
    "Bogotá", "Cologne", "Dakar", "Hanoi", "Kyoto", "Lima", "Lviv", "Malmö", "Porto", "Tunis"
  };

  private static final int ROUNDS = 16;

  private BackfillData() {}

  /** Writes {@code people.csv} and {@code follows.csv} into a folder. */
  static void write(Path folder) throws IOException {
    Random random = new Random(20_261_130);
    int ids = people(folder.resolve("people.csv"), random);
    follows(folder.resolve("follows.csv"), random, ids);
  }

  /** Writes the people and returns how many different emails there are. */
  private static int people(Path file, Random random) throws IOException {
    int ids = PEOPLE - NO_EMAIL - TWICE;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("email,name,city,born,score\n");
      for (int i = 0; i < ids; i++) {
        boolean bad = i >= ids / 2 && i < ids / 2 + NO_SCORE;
        person(out, email(i), bad ? "NaN" : score(random), random);
      }
      for (int i = 0; i < NO_EMAIL; i++) {
        person(out, "", score(random), random);
      }
      for (int i = 0; i < TWICE; i++) {
        person(out, email(ids - 1 - i), score(random), random);
      }
    }
    return ids;
  }

  private static void person(BufferedWriter out, String email, String score, Random random)
      throws IOException {
    String name = FIRST[random.nextInt(FIRST.length)] + " " + LAST[random.nextInt(LAST.length)];
    String born =
        "%d-%02d-%02d"
            .formatted(1940 + random.nextInt(68), 1 + random.nextInt(12), 1 + random.nextInt(28));
    String city = CITY[random.nextInt(CITY.length)];
    out.write(String.join(",", email, name, city, born, score) + "\n");
  }

  private static void follows(Path file, Random random, int ids) throws IOException {
    int good = FOLLOWS - NO_END - UNKNOWN_END;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("follower,followed,since\n");
      int runs = ids / ROUNDS;
      // Each round follows another residue class, so that nobody follows anybody twice.
      for (int i = 0; i < good; i++) {
        int person = i % ids;
        int round = i / ids;
        int other = ROUNDS * (int) (runs * Math.pow(random.nextDouble(), 3)) + round;
        other = other == person ? other + ROUNDS : other;
        out.write(email(person) + "," + email(other) + "," + since(random) + "\n");
      }
      for (int i = 0; i < NO_END; i++) {
        out.write(email(random.nextInt(ids)) + ",," + since(random) + "\n");
      }
      for (int i = 0; i < UNKNOWN_END; i++) {
        out.write(
            email(random.nextInt(ids)) + "," + email(PEOPLE + i) + "," + since(random) + "\n");
      }
    }
  }

  private static String email(int person) {
    return "p" + person + "@example.org";
  }

  private static String score(Random random) {
    return Double.toString(random.nextInt(10_000) / 100.0);
  }

  private static String since(Random random) {
    return 2015 + random.nextInt(11) + "-01-01";
  }
}
