package com.namidb.format.stage;

import com.namidb.format.error.JobErrors;
import com.namidb.format.error.Where;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * How far a job is, and every step it may take: on its state object if it has a name, else in
 * memory. A step is tried on what is stored until nobody else changes that meanwhile. Guarded by
 * its {@link StagedJob}, which says what the steps mean. Source: protocol §2.
 */
final class JobProgress {
  private static final int TRIES = 100;

  private final StateObject object;
  private final boolean stored;
  private final Where where;
  private final Clock clock;
  private JobState state;
  private UUID run;

  /**
   * Prepares it; {@link #open} or {@link #find} gives it a state.
   *
   * @param object where the state is kept
   * @param stored whether it is kept there from the beginning; else after an unknown outcome only
   * @param where names the job in errors
   */
  JobProgress(StateObject object, boolean stored, Where where, Clock clock) {
    this.object = object;
    this.stored = stored;
    this.where = where;
    this.clock = clock;
  }

  /**
   * Begins the job or goes on with what is stored of it.
   *
   * @throws com.namidb.format.error.InvalidOptionException if that stands for something else
   */
  void open(String binding) {
    if (!stored) {
      take(JobState.open(binding, clock.millis()));
      return;
    }
    if (object.load().isEmpty()) {
      object.swap(JobState.open(binding, clock.millis()));
    }
    JobState seen = object.state();
    if (!seen.binding().equals(binding)) {
      throw JobErrors.otherJob(where, seen.binding(), binding);
    }
    take(seen);
  }

  /** Goes on with what is stored; false if nothing is. */
  boolean find() {
    object.load().ifPresent(this::take);
    return state != null;
  }

  private void take(JobState seen) {
    state = seen;
    run = seen.run();
  }

  /** The same run as it would be if it were sealed now. */
  void copySealed(JobProgress other) {
    state = other.state.at(JobPhase.SEALED, clock.millis());
    run = other.run;
  }

  /** Whether it is kept as an object from the beginning. */
  boolean isStored() {
    return stored;
  }

  /** As last seen. */
  JobState state() {
    return state;
  }

  /** The run of this driver; the state has another one if the job was begun afresh since. */
  UUID run() {
    return run;
  }

  JobPlan plan(UnaryOperator<JobPlan> change) {
    step(
        "be planned",
        EnumSet.of(JobPhase.OPEN),
        s -> s.planned(change.apply(sameRun(s, "be planned").plan())));
    return state.plan();
  }

  void restart() {
    if (state.phase() == JobPhase.SEALED || state.phase() == JobPhase.PUBLISHING) {
      throw JobErrors.takenOver(where, "start afresh");
    }
    step(
        "start afresh",
        EnumSet.of(JobPhase.OPEN, JobPhase.DISCARDED),
        s -> JobState.open(s.binding(), clock.millis()));
    run = state.run();
  }

  /** Fails unless it takes rows. */
  void checkOpen() {
    require("take more rows", EnumSet.of(JobPhase.OPEN));
  }

  /** The part with this key belongs to the job from now on. */
  void list(String key) {
    step(
        "take more rows",
        EnumSet.of(JobPhase.OPEN),
        s -> {
          List<String> keys = new ArrayList<>(sameRun(s, "take more rows").parts());
          keys.add(key);
          return s.listing(keys);
        });
  }

  void seal() {
    if (state.phase() != JobPhase.OPEN) {
      require("be sealed", EnumSet.of(JobPhase.SEALED));
      return;
    }
    step(
        "be sealed",
        EnumSet.of(JobPhase.OPEN),
        s -> sameRun(s, "be sealed").at(JobPhase.SEALED, clock.millis()));
  }

  /** Fails unless its parts are final. */
  void checkSealed() {
    require(
        "be read before it is sealed",
        EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING, JobPhase.PUBLISHED));
  }

  void rewritten(List<String> keys, JobPlan plan) {
    step(
        "be rewritten",
        EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING),
        s -> s.listing(keys).planned(plan));
  }

  void publishing(Attempt attempt) {
    List<Attempt> known = state.attempts();
    step(
        "be published",
        EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING),
        s -> {
          if (s.phase() == JobPhase.PUBLISHING && !s.attempts().equals(known)) {
            throw JobErrors.takenOver(where, "publish it");
          }
          return s.with(attempt).at(JobPhase.PUBLISHING, clock.millis());
        });
  }

  /** Stores the state of a job that is not stored otherwise, with these parts. */
  void keepEvidence(List<String> keys) {
    object.swap(state.listing(keys));
  }

  boolean lost() {
    require("be sealed again", EnumSet.of(JobPhase.PUBLISHING, JobPhase.SEALED));
    List<Attempt> judged = state.attempts();
    for (int i = 0; i < TRIES; i++) {
      if (state.phase() == JobPhase.SEALED) {
        return true;
      }
      // Another driver's attempt has not been judged.
      if (state.phase() != JobPhase.PUBLISHING || !state.attempts().equals(judged)) {
        return false;
      }
      JobState next = state.at(JobPhase.SEALED, clock.millis());
      if (!stored || object.swap(next)) {
        state = next;
        return true;
      }
      state = object.state();
      if (state == null) {
        throw JobErrors.jobState(where, "gone", "be sealed again");
      }
    }
    throw JobErrors.jobState(where, "changed by others all the time", "be sealed again");
  }

  void published(long version) {
    // It may have been sealed by somebody who took its driver for dead.
    step(
        "be published",
        EnumSet.of(JobPhase.SEALED, JobPhase.PUBLISHING, JobPhase.PUBLISHED),
        s -> sameRun(s, "be published").as(version).at(JobPhase.PUBLISHED, clock.millis()));
  }

  void discard() {
    if (state.phase() == JobPhase.PUBLISHED) {
      throw JobErrors.staysPublished(where, state.version());
    }
    step(
        "be discarded",
        EnumSet.of(JobPhase.OPEN, JobPhase.SEALED, JobPhase.DISCARDED),
        s -> s.at(JobPhase.DISCARDED, clock.millis()));
  }

  boolean discardUntouched() {
    return stored
        && (state.phase() == JobPhase.OPEN || state.phase() == JobPhase.SEALED)
        && object.swap(state.at(JobPhase.DISCARDED, clock.millis()));
  }

  /** Two drivers that run one job at once must not mix their rows. */
  private JobState sameRun(JobState seen, String what) {
    if (!seen.run().equals(run)) {
      throw JobErrors.takenOver(where, what);
    }
    return seen;
  }

  private void step(String what, Set<JobPhase> from, UnaryOperator<JobState> change) {
    for (int i = 0; i < TRIES; i++) {
      require(what, from);
      JobState next = change.apply(state);
      if (next.equals(state)) {
        return;
      }
      if (!stored || object.swap(next)) {
        state = next;
        return;
      }
      state = object.state();
      if (state == null) {
        throw JobErrors.jobState(where, "gone", what);
      }
    }
    throw JobErrors.jobState(where, "changed by others all the time", what);
  }

  private void require(String what, Set<JobPhase> phases) {
    if (phases.contains(state.phase())) {
      return;
    }
    if (state.phase() == JobPhase.DISCARDED) {
      throw JobErrors.discarded(where, what);
    }
    if (state.phase() == JobPhase.PUBLISHED && state.run().equals(run)) {
      throw JobErrors.published(where, state.version(), what);
    }
    throw state.run().equals(run)
        ? JobErrors.jobState(where, state.phase().name(), what)
        : JobErrors.takenOver(where, what);
  }
}
