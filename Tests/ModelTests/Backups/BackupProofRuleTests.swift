import Fixtures
import Model
import Testing

/// When a backup is proven, and how long that counts: docs/backup.md#proof.
@Suite struct BackupProofRuleTests {
  private let now = Instant.morning

  private func proof(_ age: Duration, problem: String? = nil) -> BackupProof {
    BackupProof(at: now - age, file: "f", rows: 1, files: 1, problem: problem)
  }

  @Test(arguments: [
    (Duration.seconds(604_800 - 43_200), true), (.seconds(604_800 - 43_201), false),
    (.zero, false), (.seconds(-300), false), (.seconds(-301), true), (.seconds(9_000_000), true),
  ])
  func `a proof is due half a day before a week is over, of another form, and after the future`(
    age: Duration, isDue: Bool
  ) {
    #expect(BackupProofRule.isDue(after: proof(age), isOfOtherForm: false, at: now) == isDue)
    #expect(BackupProofRule.isDue(after: proof(age), isOfOtherForm: true, at: now))
  }

  @Test func `a proof is due before the first one, and after one that failed`() {
    let bad = proof(.zero, problem: "it is cut short")
    for last in [nil, bad] {
      #expect(BackupProofRule.isDue(after: last, isOfOtherForm: false, at: now))
    }
  }

  @Test(arguments: [
    (nil, "no restore tested yet"),
    (BackupProof(at: .morning, file: "f", rows: 0, files: 0), "restore tested then"),
    (
      BackupProof(at: .morning, file: "f", rows: nil, files: 0),
      "size and SHA-256 checked then"
    ),
    (
      BackupProof(at: .morning, file: "f", rows: 1, files: 1, problem: "x"),
      "the last one tried cannot be restored"
    ),
  ])
  func `what was last proven has one wording, which tells a restore from a checksum`(
    proof: BackupProof?, words: String
  ) {
    let status = BackupStatus(newestAt: .morning, proof: proof)
    #expect(status.proofWords { $0 == .morning ? "then" : "?" } == words)
  }

  @Test(arguments: [(Duration.seconds(1_296_000), false), (.seconds(1_296_001), true)])
  func `a proof of fifteen days is not old, and one of a second more is`(
    age: Duration, isOld: Bool
  ) {
    #expect(BackupProofRule.isOld(proof(age).at, at: now) == isOld)
  }
}
