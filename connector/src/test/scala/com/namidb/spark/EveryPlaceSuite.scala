package com.namidb.spark

import com.namidb.spark.catalog.{CatalogWriteTests, NamespacesTests, NamiCatalogTests, SqlDocsTests}
import com.namidb.spark.engine.{BackupTests, GoldenTests, SweepRaceTests, WriteModesTests}
import com.namidb.spark.job.{JobIdTests, StageTests}
import com.namidb.spark.lease.{ReadLeaseTests, SessionPinTests}
import com.namidb.spark.metadata.MetadataTablesTests
import com.namidb.spark.procedure.{CheckTests, ProceduresDocTests, ProceduresTests, SweepTests}
import com.namidb.spark.read.{DamageTests, GoldenReadTests}
import com.namidb.spark.rowlevel.{KeptValuesTests, StatementModelTests, StatementTests}
import com.namidb.spark.source.{ChangesReadTests, EntryPointsTests, PlanTests, SnapshotReadTests}
import com.namidb.spark.write.{ColumnCaseTests, LostManifestTests, NamedModesTests, RestoredTests, SingleObjectTests, TravelTests, WriteTests}
import com.namidb.spark.write.check.{ConstraintTests, DanglingTests}
import com.namidb.spark.write.delta.DeltaWriterTests
import com.namidb.spark.write.quarantine.QuarantineTests
import com.namidb.spark.write.removal.{DetachTests, OverwriteTests}
import com.namidb.spark.write.task.PatchTests
import org.scalatest.{DoNotDiscover, Suite, Suites}

/** Every suite that can be anywhere, at every place. `bin/test-stores` runs it; each build runs some of them. */
@DoNotDiscover
class EveryPlaceSuite extends Suites(EveryPlaceSuite.chosen: _*)

object EveryPlaceSuite {
  private val anywhere: Seq[Places => Suite] = Seq(
    // reading
    new GoldenTests(_), new GoldenReadTests(_), new SnapshotReadTests(_), new ChangesReadTests(_), new PlanTests(_), new DamageTests(_),
    new MetadataTablesTests(_), new ReadLeaseTests(_), new SessionPinTests(_), new NamiCatalogTests(_),
    // writing
    new WriteTests(_), new OverwriteTests(_), new PatchTests(_), new DetachTests(_), new DanglingTests(_), new QuarantineTests(_),
    new ConstraintTests(_), new NamedModesTests(_), new JobIdTests(_), new StageTests(_), new DeltaWriterTests(_), new ColumnCaseTests(_),
    new RestoredTests(_), new TravelTests(_), new EntryPointsTests(_),
    // SQL
    new StatementTests(_), new StatementModelTests(_), new KeptValuesTests(_), new CatalogWriteTests(_), new NamespacesTests(_),
    new ProceduresTests(_), new ProceduresDocTests(_), new CheckTests(_), new SqlDocsTests(_),
    // everything at once, and a copy
    new SweepRaceTests(_), new BackupTests(_))

  // The clock of a bucket cannot be set; the engine knows one layout only; and one layout is the subject.
  private val somewhere: Seq[Suite] = Seq(
    new SweepTests(Places.Local), new SweepTests(Places.SingleObject), new WriteModesTests(Places.Local), new WriteModesTests(Places.Bucket),
    new SingleObjectTests(Places.Local), new SingleObjectTests(Places.Bucket), new LostManifestTests(Places.Local), new LostManifestTests(Places.Bucket))

  /** Those whose name has the text of `-Dplaces.only`. */
  private def chosen: Seq[Suite] = {
    val only = sys.props.getOrElse("places.only", "").split('|').toSeq
    (Places.all.flatMap(at => anywhere.map(_(at))) ++ somewhere).filter(s => only.exists(s.suiteName.contains))
  }
}
