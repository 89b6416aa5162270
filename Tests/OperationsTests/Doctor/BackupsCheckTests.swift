import Fixtures
import JobsTesting
import Model
import Store
import Testing

@testable import Operations
@testable import Workspace

/// What `firetally doctor` says of backups: docs/doctor.md#backups.
@Suite struct BackupsCheckTests {
  private let stage: DoctorStage
  private let now = Instant.morning

  init() throws { stage = try DoctorStage(jobs: ["settle": "kind: settle\n"]) }

  private func make(_ age: Duration) throws {
    _ = try BackupMaker(
      folder: BackupFolder(stage.workspace.folder.backupsFolder), reason: .maintain, now: now - age
    ).backUp(stage.workspace.store)
  }

  private func prove(_ age: Duration, problem: String? = nil) throws {
    let proof = BackupProof(
      at: now - age, file: "b.gz", rows: 3, files: 2, problem: problem)
    try stage.workspace.store.write { try proof.store(in: $0) }
  }

  private func verdicts() async throws -> [DoctorFinding.Verdict] {
    try await stage.findings(of: BackupsCheck.self).map(\.verdict)
  }

  @Test(arguments: [
    (nil as Duration?, DoctorFinding.Verdict.ok), (.seconds(172_800), .ok),
    (.seconds(172_801), .warn),
  ])
  func `without a backup a workspace of more than two days is warned of`(
    age: Duration?, verdict: DoctorFinding.Verdict
  ) async throws {
    if let age { try stage.ran("settle", at: now - age) }
    #expect(try await verdicts() == [verdict])
  }

  @Test(arguments: [
    (Duration.seconds(691_200), DoctorFinding.Verdict.ok), (.seconds(691_201), .warn),
  ])
  func `a newest backup of more than eight days is warned of`(
    age: Duration, verdict: DoctorFinding.Verdict
  ) async throws {
    try make(age)
    #expect(try await verdicts() == [verdict])
  }

  @Test(arguments: [
    (Duration.seconds(1_296_000), DoctorFinding.Verdict.ok), (.seconds(1_296_001), .warn),
  ])
  func `a last proof, or an oldest backup without any, of more than fifteen days is warned of`(
    age: Duration, verdict: DoctorFinding.Verdict
  ) async throws {
    try make(.zero)
    try make(age)
    #expect(try await verdicts() == [verdict])
    try prove(age)
    #expect(try await verdicts() == [verdict])
    try prove(.zero)
    #expect(try await verdicts() == [.ok])
  }

  @Test func `a backup that cannot be restored is a failure`() async throws {
    try make(.zero)
    try prove(.zero, problem: "it is cut short")
    #expect(
      try await stage.lines(of: BackupsCheck.self) == [
        "fail: The backup b.gz cannot be restored: it is cut short. `firetally run maintain` makes "
          + "and tests another one."
      ])
  }

  @Test func `advice names the job, whatever it is called`() async throws {
    try stage.workspace.write("kind: maintain\n", to: "jobs/nightly.yml")
    try make(.seconds(1_296_001))
    let old = try await stage.lines(of: BackupsCheck.self)
    #expect(old.count == 1 && old[0].contains("See `firetally runs nightly`"))
    try make(.zero)
    let unproven = try await stage.lines(of: BackupsCheck.self)
    #expect(unproven.count == 1 && unproven[0].hasSuffix(" a week: `firetally run nightly`."))
    try prove(.zero, problem: "it is cut short")
    let failed = try await stage.lines(of: BackupsCheck.self)
    #expect(failed.count == 1 && failed[0].contains("`firetally run nightly` makes and tests"))
  }
}
