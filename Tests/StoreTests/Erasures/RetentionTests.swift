import Model
import StoreTesting
import Testing

@testable import Store

/// What goes by age: one microsecond decides.
@Suite struct RetentionTests {
  private let folder: TemporaryStore
  private let store: Store
  private let cutoff = Instant(unixSeconds: 1_000_000)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// One microsecond before the bound, at it, and one after.
  private var times: [Instant] {
    [cutoff - .microseconds(1), cutoff, cutoff + .microseconds(1)]
  }

  @Test func `events of before the bound go, and one at it stays`() throws {
    try store.write { writer in
      try writer.append(times.map { Event(name: "e", at: $0, userId: "u") }, source: "test")
      #expect(try writer.removeEvents(before: cutoff) == 1)
      #expect(try writer.eventsCount() == 2)
      #expect(try writer.removeEvents(before: cutoff) == 0)
    }
  }

  @Test(arguments: [
    ("queued", false), ("sending", false), ("parked", false), ("delivered", true),
    ("rejected", true),
  ])
  func `an old item of events goes once it has left`(state: String, isRemoved: Bool) throws {
    try insertItem(kind: "event", state: state, at: cutoff - .microseconds(1))
    try insertItem(kind: "event", state: state, at: cutoff)
    let removed = try store.write { try $0.removeEvents(before: cutoff) }
    #expect(removed == (isRemoved ? 1 : 0))
    #expect(try folder.texts("SELECT count(*) FROM outbox") == [isRemoved ? "1" : "2"])
  }

  @Test(arguments: [
    ("queued", false), ("sending", false), ("parked", false), ("delivered", true),
    ("rejected", true),
  ])
  func `old feedback goes with its rating, unless it still has to leave`(
    state: String, isRemoved: Bool
  ) throws {
    for time in times {
      let id = try insertItem(kind: "feedback", state: state, at: time)
      try insertRating(at: time, item: id)
    }
    let removed = try store.write { try $0.removeFeedback(before: cutoff) }
    #expect(removed == (isRemoved ? 1 : 0))
    for table in ["outbox", "ratings"] {
      #expect(try folder.texts("SELECT count(*) FROM \(table)") == [isRemoved ? "2" : "3"])
    }
  }

  @Test func `notes go with the feedback they are about, own and mirrored`() throws {
    for time in [times[0], times[2]] { try insertRating(at: time, item: nil) }
    for (path, second) in [("F/old", 999_998), ("F/new", 1_000_001)] {
      try folder.execute(
        """
        INSERT INTO app_rating_feedback VALUES
        ('\(path)', '1', 'u', '', '', '', 't', \(second), 2, 0, 0)
        """)
    }
    for key in ["own/1", "own/2", "F/old", "F/new", "F/unread"] {
      try folder.execute("INSERT INTO feedback_marks VALUES ('\(key)', NULL, 1, 1)")
    }
    _ = try store.write { try $0.removeFeedback(before: cutoff) }
    #expect(
      try folder.texts("SELECT key FROM feedback_marks ORDER BY 1")
        == ["F/new", "F/unread", "own/2"])
  }

  @Test func `old stars without feedback go, and moments are not feedback`() throws {
    for time in times { try insertRating(at: time, item: nil) }
    try insertItem(kind: "moment", state: "delivered", at: times[0])
    #expect(try store.write { try $0.removeFeedback(before: cutoff) } == 1)
    #expect(try folder.texts("SELECT count(*) FROM outbox") == ["1"])
  }

  @Test func `an old document of feedback goes, and counts as known`() throws {
    for second in [-1, 0, 1] as [Int64] {
      try folder.execute(
        """
        INSERT INTO app_rating_feedback VALUES ('F/\(second)', '\(second)', 'u', '', '', '', 'text',
        \(cutoff.unixSeconds + second), 2, 0, 0)
        """)
    }
    #expect(try store.write { try $0.removeFeedback(before: cutoff) } == 1)
    #expect(
      try folder.texts("SELECT document_path FROM app_rating_feedback ORDER BY 1")
        == ["F/0", "F/1"])
    let counts = try store.read { try $0.mirrorCounts(of: .feedback) }
    #expect(counts.rows == 2 && counts.skipped == 1)
  }

  @Test func `old runs go, but each job keeps its newest, and its newest success`() throws {
    try insertRun("a", .ok, at: times[0])
    try insertRun("a", .ok, at: times[0])
    try insertRun("a", .failed, at: times[0])
    try insertRun("b", .failed, at: times[0])
    try insertRun("b", .ok, at: times[1])
    #expect(try store.write { try $0.removeRuns(before: cutoff) } == 2)
    let left = try store.read { try $0.runs(from: Instant(unixSeconds: 0)) }
    #expect(left.filter { $0.job == "a" }.map(\.outcome) == [.failed, .ok])
    #expect(left.filter { $0.job == "b" }.map(\.outcome) == [.ok])
    #expect(try store.write { try $0.removeRuns(before: cutoff) } == 0)
  }

  @Test func `a run that has not ended stays, however old`() throws {
    try store.write { writer in
      for _ in 0..<2 {
        _ = try writer.begin(
          Run(job: "a", kind: "maintain", trigger: .scheduled, startedAt: times[0]))
      }
      #expect(try writer.removeRuns(before: cutoff) == 0)
    }
  }

  @Test func `runs at the bound and after it stay`() throws {
    for time in times + times { try insertRun("a", .ok, at: time) }
    #expect(try store.write { try $0.removeRuns(before: cutoff) } == 2)
  }

  private func insertRun(_ job: String, _ outcome: Run.Outcome, at time: Instant) throws {
    try store.write { writer in
      var run = Run(job: job, kind: "maintain", trigger: .scheduled, startedAt: time)
      run.id = try writer.begin(run)
      run.outcome = outcome
      run.endedAt = time
      try writer.finish(run)
    }
  }

  @discardableResult
  private func insertItem(kind: String, state: String, at time: Instant) throws -> Int64 {
    try folder.execute(
      """
      INSERT INTO outbox (profile, kind, state, payload, created_at)
      VALUES ('default', '\(kind)', '\(state)', '{}', \(time.microseconds))
      """)
    return Int64(try folder.texts("SELECT max(id) FROM outbox")[0]) ?? 0
  }

  private func insertRating(at time: Instant, item: Int64?) throws {
    try folder.execute(
      """
      INSERT INTO ratings (profile, user_id, gender, country, app_version, stars, at, tries,
      outbox_id) VALUES ('default', 'u', '', '', '', 2, \(time.microseconds), 0,
      \(item.map(String.init) ?? "NULL"))
      """)
  }
}
