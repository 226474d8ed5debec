package com.namidb.spark.write.publish;

import com.namidb.format.commit.Isolation;
import com.namidb.format.error.JobErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.ManifestRef;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.stage.DerivedEnds;
import com.namidb.format.stage.JobPhase;
import com.namidb.format.stage.PartRules;
import com.namidb.format.stage.StagedJob;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PublishRules;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.write.quarantine.QuarantineWriter;
import com.namidb.spark.write.row.RowShape;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds or makes the job of a write by the name its options give. Protocol §2. */
public final class NamedJobs {
  /** Names that mean the same to every file system and path parser. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private NamedJobs() {}

  /**
   * The job that a write stages into.
   *
   * @throws com.namidb.format.error.InvalidOptionException if the name stands for something else,
   *     or takes no rows any more
   */
  public static StagedJob begin(WriteOptions options, OpenNamespace opened) {
    NamespacePaths paths = opened.location().paths();
    Clock clock = Clock.systemUTC();
    if (options.job() instanceof JobName.Job name) {
      StagedJob job = StagedJob.open(paths, opened.store(), name.id(), name.binding(), clock);
      // Always afresh: half-staged rows of a run before, or of another driver, must not mix in.
      job.restart();
      return job;
    }
    if (options.job() instanceof JobName.Stage stage) {
      StagedJob job =
          StagedJob.open(paths, opened.store(), stage.name(), JobName.Stage.BINDING, clock);
      checkOpen(paths, job);
      if (job.phase() == JobPhase.DISCARDED) {
        job.restart();
      }
      return job;
    }
    return StagedJob.unnamed(paths, opened.store(), clock);
  }

  /** Fails early, before Spark computes anything, if a stage takes no more rows. */
  public static void checkOpen(WriteOptions options, JobName.Stage stage) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    NamespacePaths paths = opened.location().paths();
    StagedJob.find(paths, opened.store(), stage.name(), Clock.systemUTC())
        .ifPresent(job -> checkOpen(paths, job));
  }

  private static void checkOpen(NamespacePaths paths, StagedJob job) {
    if (!job.binding().equals(JobName.Stage.BINDING)) {
      throw JobErrors.otherJob(where(paths, job), job.binding(), JobName.Stage.BINDING);
    }
    if (job.phase() != JobPhase.OPEN && job.phase() != JobPhase.DISCARDED) {
      throw JobErrors.stageClosed(where(paths, job), job.phase().name());
    }
  }

  /**
   * Whether the rows of a job are staged already, so that its query need not run again.
   *
   * @throws com.namidb.format.error.InvalidOptionException if the name stands for something else
   */
  public static boolean isRerun(WriteOptions options, JobName.Job name) {
    return staged(options, name).isPresent();
  }

  /** The job if its rows are all staged, in whatever phase after that. */
  public static Optional<StagedJob> staged(WriteOptions options, JobName.Job name) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    NamespacePaths paths = opened.location().paths();
    Optional<StagedJob> found = StagedJob.find(paths, opened.store(), name.id(), Clock.systemUTC());
    found.ifPresent(
        job -> {
          if (!job.binding().equals(name.binding())) {
            throw JobErrors.otherJob(where(paths, job), job.binding(), name.binding());
          }
        });
    return found.filter(job -> job.phase() != JobPhase.OPEN && job.phase() != JobPhase.DISCARDED);
  }

  /**
   * The job of a write if another run of it took effect meanwhile: its receipt is this run's, too.
   */
  public static Optional<StagedJob> committed(WriteOptions options) {
    return options.job() instanceof JobName.Job name
        ? staged(options, name).filter(job -> job.phase() == JobPhase.PUBLISHED)
        : Optional.empty();
  }

  /**
   * Where rows go that are set aside, below the job's folder: a folder of its own for each table of
   * a stage, so that it can be read as one data set.
   */
  static String quarantine(WriteOptions options, String scope) {
    if (!(options.job() instanceof JobName.Stage)) {
      return QuarantineWriter.FOLDER;
    }
    boolean plain = PLAIN.matcher(scope).matches();
    return QuarantineWriter.FOLDER + "/" + (plain ? scope : Integer.toHexString(scope.hashCode()));
  }

  static Where where(NamespacePaths paths, StagedJob job) {
    return new Where(paths.namespace(), null, paths.bulk(job.id()), job.id());
  }

  /**
   * What a write asks for, in the form that outlives it.
   *
   * @param read version it was planned on
   */
  static PartRules rules(WriteOptions options, RowShape shape, ManifestRef read) {
    PublishRules rules = options.rules();
    boolean edges = shape.edges();
    return new PartRules(
        options.operation(),
        switch (shape.mode()) {
          case INSERT -> PartRules.Rows.INSERT;
          case UPSERT -> PartRules.Rows.UPSERT;
          case PATCH -> PartRules.Rows.PATCH;
          case DELETE -> PartRules.Rows.DELETE;
          case OVERWRITE -> PartRules.Rows.OVERWRITE;
        },
        new PartRules.Table(edges ? "" : shape.scope(), edges ? shape.scope() : ""),
        // Where edges may be set aside, whoever does that looks for their ends.
        rules.checkEnds() && !options.quarantine().dangling(),
        rules.removal().detach()
            ? PartRules.Incident.DETACH
            : rules.checkIncident() ? PartRules.Incident.FAIL : PartRules.Incident.LEAVE,
        rules.isolation() == Isolation.SERIALIZABLE,
        rules.retireSearch(),
        read.version(),
        read.writerId(),
        rules.expectedRows(),
        rules.expectedChecksum(),
        new DerivedEnds(
            from(options.keys().srcLabel(), options.keys().src()),
            from(options.keys().dstLabel(), options.keys().dst())));
  }

  private static DerivedEnds.From from(String label, List<String> keys) {
    return label == null ? DerivedEnds.From.GIVEN : new DerivedEnds.From(label, keys);
  }
}
