import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

/// The data that are mostly other queries put together: limits, ratings, runs.
@Suite struct ReportDataTests {
  let folder: TemporaryStore
  let store: Store
  let context = ReportContext(
    appName: "ChatHub", now: .morning, timeZone: "UTC", start: .morning - .seconds(100),
    end: .morning)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func rating(_ stars: Int, secondsAgo: Int) -> Event {
    Event(
      name: "app_events", at: .morning - .seconds(secondsAgo), userId: "u\(stars)",
      parameters: ["rating_ChatHub_\(stars)": .integer(1)], country: "Peru",
      appVersion: "2.\(stars)")
  }

  private func ratingsData() throws -> RatingsData {
    let settings = Settings([
      EffectiveSetting(key: .ratingThreshold, value: 10, source: .builtIn),
      EffectiveSetting(key: .ratingMaxPrompts, value: 2, source: .builtIn),
    ])
    return try store.read { try $0.ratingsData(context, settings: settings, newest: 2) }
  }

  @Test func `ratings are those of the period and the one before, oldest first`() throws {
    let events = [
      rating(5, secondsAgo: 0), rating(4, secondsAgo: 1), rating(3, secondsAgo: 604_900),
      rating(2, secondsAgo: 604_901),
      Event(
        name: "app_events", at: .morning - .seconds(2), userId: "u",
        parameters: ["rating_ChatHub_4_after_1": .integer(1)]),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    let found = try ratingsData().ratings
    #expect(found.map(\.at) == [.morning - .seconds(604_900), .morning - .seconds(1)])
    #expect(found.map(\.stars) == [3, 4])
    let start = context.previousStart
    #expect(
      try store.read { try $0.ratings(from: start, to: .morning, of: "u4") }.map(\.stars) == [4])
  }

  private func record(_ text: String, at instant: Instant, isDelivered: Bool) throws {
    try store.write { writer in
      let id = try writer.enqueue(.feedback, profile: "p", payload: "{}", at: instant)
      try writer.record(
        RatingRecord(
          profile: "p", userId: "u", gender: "Male", country: "Peru", appVersion: "2", stars: 2,
          feedback: text, at: instant, tries: 1, outboxId: id))
      guard isDelivered else { return }
      try writer.markSending(id: id, at: instant)
      try writer.markDelivered(id: id, remoteName: "Feedback/1", at: instant)
    }
  }

  @Test func `feedback comes newest first with where it is on its way`() throws {
    try record("first 'text'", at: .morning, isDelivered: true)
    try record("second", at: .morning + .seconds(1), isDelivered: false)
    try store.write {
      try $0.record(
        RatingRecord(
          profile: "p", userId: "u", gender: "", country: "", appVersion: "", stars: 5,
          feedback: nil, at: .morning, tries: 0, outboxId: nil))
    }
    let data = try ratingsData()
    #expect(data.feedback.map(\.feedback.text) == ["second", "first 'text'"])
    #expect(data.feedback.map(\.state) == [.queued, .delivered])
    #expect(data.feedback.map(\.remoteName) == [nil, "Feedback/1"])
    #expect(
      data.feedback.last?.feedback
        == Feedback(
          userId: "u", gender: "Male", country: "Peru", appVersion: "2", text: "first 'text'",
          timestamp: Instant.morning.unixSeconds, stars: 2))
    #expect(data.outbox == [.queued: 1, .delivered: 1])
    #expect(try store.read { try $0.feedbackEntries(limit: 1).count } == 1)
  }

  @Test func `a rating cannot point to an outbox item that is not there`() throws {
    #expect(throws: StoreError.self) {
      try store.write {
        try $0.record(
          RatingRecord(
            profile: "p", userId: "u", gender: "", country: "", appVersion: "", stars: 1,
            feedback: "x", at: .morning, tries: 0, outboxId: 99))
      }
    }
  }

  @Test func `limits have every profile with its states, saved or not`() throws {
    let used = LimitState(usage: 2, cooldownStartedAt: .morning)
    let saved = Profile(name: "work", tier: .pro)
    try store.write { writer in
      try writer.save(saved)
      try writer.setLimitState(used, profile: "default", feature: .refresh)
      try writer.record(
        fetched: [
          FetchedSetting(
            wireName: "x", rawValue: "1", source: .appSettings, fetchedAt: .morning)
        ], from: .appSettings, at: .morning)
    }
    let data = try store.read {
      try $0.limitsData(settings: Settings([]), price: "$1", changes: 5, now: .morning)
    }
    #expect(data.profiles.map(\.profile) == [Profile(), saved])
    #expect(data.profiles.map(\.states) == [[.refresh: used], [:]])
    #expect(data.fetched.map(\.wireName) == ["x"])
    #expect(data.changes.map(\.newValue) == ["1"])
    #expect(data.price == "$1")
  }

  @Test func `runs are those of two periods, the last ones whenever they were`() throws {
    func begin(_ job: String, secondsAgo: Int) throws -> Run {
      var run = Run(
        job: job, kind: "report", trigger: .manual, startedAt: .morning - .seconds(secondsAgo),
        outcome: .ok)
      run.id = try store.write { try $0.begin(run) }
      return run
    }
    let old = try begin("old", secondsAgo: 604_901)
    let earlier = try begin("users", secondsAgo: 604_900)
    let later = try begin("users", secondsAgo: 1)
    let jobs = ["users", "old"].map {
      RunsData.JobSummary(name: $0, kind: JobKindName("k"), schedule: nil, lastDueAt: nil)
    }
    let price = ReadPrice(per100kReads: 0.03, currency: "EUR")
    let data = try store.read {
      try $0.runsData(context, jobs: jobs, price: price)
    }
    #expect(data.runs == [later, earlier])
    #expect(data.lastRuns == ["old": old, "users": later])
    #expect(data.lastSuccesses == data.lastRuns)
    #expect(data.jobs.map(\.name) == ["users", "old"])
    #expect(data.price == price)
  }
}
