import Model
import Testing

@testable import Store

/// The facts that are mostly other queries put together: limits, ratings, runs.
@Suite struct ReportFactsTests {
  let folder: TemporaryStore
  let store: Store
  let frame = ReportFrame(
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

  private func ratingsFacts() throws -> RatingsFacts {
    let settings = Settings([
      EffectiveSetting(key: .ratingThreshold, value: 10, source: .builtIn),
      EffectiveSetting(key: .ratingMaxPrompts, value: 2, source: .builtIn),
    ])
    return try store.read { try $0.ratingsFacts(frame, settings: settings, newest: 2) }
  }

  @Test func `ratings are those of the period and the one before, oldest first`() throws {
    let events = [
      rating(5, secondsAgo: 0), rating(4, secondsAgo: 1), rating(3, secondsAgo: 200),
      rating(2, secondsAgo: 201),
      Event(
        name: "app_events", at: .morning - .seconds(2), userId: "u",
        parameters: ["rating_ChatHub_4_after_1": .integer(1)]),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    let found = try ratingsFacts().ratings
    #expect(
      found == [
        RatingsFacts.Rating(
          at: .morning - .seconds(200), stars: 3, userId: "u3", country: "Peru", appVersion: "2.3"),
        RatingsFacts.Rating(
          at: .morning - .seconds(1), stars: 4, userId: "u4", country: "Peru", appVersion: "2.4"),
      ])
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
    let facts = try ratingsFacts()
    #expect(facts.feedback.map(\.feedback.text) == ["second", "first 'text'"])
    #expect(facts.feedback.map(\.state) == [.queued, .delivered])
    #expect(facts.feedback.map(\.remoteName) == [nil, "Feedback/1"])
    #expect(
      facts.feedback.last?.feedback
        == Feedback(
          userId: "u", gender: "Male", country: "Peru", appVersion: "2", text: "first 'text'",
          timestamp: Instant.morning.unixSeconds, stars: 2))
    #expect(facts.outbox == [.queued: 1, .delivered: 1])
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
    let facts = try store.read {
      try $0.limitsFacts(settings: Settings([]), price: "$1", changes: 5, now: .morning)
    }
    #expect(facts.profiles.map(\.profile) == [Profile(), saved])
    #expect(facts.profiles.map(\.states) == [[.refresh: used], [:]])
    #expect(facts.fetched.map(\.wireName) == ["x"])
    #expect(facts.changes.map(\.newValue) == ["1"])
    #expect(facts.price == "$1")
  }

  @Test func `runs are those of two periods, the last ones whenever they were`() throws {
    func begin(_ job: String, secondsAgo: Int) throws -> Run {
      var run = Run(
        job: job, kind: "report", trigger: .manual, startedAt: .morning - .seconds(secondsAgo),
        outcome: .ok)
      run.id = try store.write { try $0.begin(run) }
      return run
    }
    let old = try begin("old", secondsAgo: 201)
    let earlier = try begin("users", secondsAgo: 200)
    let later = try begin("users", secondsAgo: 1)
    let jobs = ["users", "old"].map {
      RunsFacts.Job(name: $0, kind: "k", description: "", schedule: nil, lastDueAt: nil)
    }
    let price = ReadPrice(per100kReads: 0.03, currency: "EUR")
    let facts = try store.read {
      try $0.runsFacts(frame, jobs: jobs, price: price)
    }
    #expect(facts.runs == [later, earlier])
    #expect(facts.lastRuns == ["old": old, "users": later])
    #expect(facts.lastSuccesses == facts.lastRuns)
    #expect(facts.jobs.map(\.name) == ["old", "users"])
    #expect(facts.price == price)
  }
}
