import Fixtures
import GRDB
import Model
import Reports
import StoreTesting
import Testing

@testable import Store

/// Completed ratings, the outbox and changed settings, counted by their queries on a small ledger.
extension UsageSectionTests {
  private func event(
    _ key: String, _ seconds: Int = 1, user: String = "u", text: String? = nil,
    name: String = "app_events"
  ) -> Event {
    Event(
      name: name, at: Self.start + .seconds(seconds), userId: user,
      parameters: [key: text.map { .string($0) } ?? .integer(1)])
  }

  /// Writes a text with two stars in the workspace.
  private func write(_ text: String, _ seconds: Int, user: String, profile: String) throws {
    try store.write { writer in
      let at = Self.start + .seconds(seconds)
      let id = try writer.enqueue(.feedback, profile: profile, payload: "{}", at: at)
      try writer.record(
        RatingRecord(
          profile: profile, userId: user, gender: "", country: "", appVersion: "", stars: 2,
          feedback: text, at: at, tries: 1, outboxId: id))
    }
  }

  /// Reads a document with two stars from Firestore.
  private func mirror(_ text: String, _ seconds: Int, user: String) throws {
    var rows = TableRows(width: SyncTable.feedback.columns.count)
    for cell in ["Feedback/\(text)", text, user, "", "", "", text] { rows.append(text: cell) }
    let at = Self.start + .seconds(seconds)
    for number in [at.unixSeconds, 2, 7] { rows.append(number) }
    try store.write { _ = try $0.upsert(rows, into: .feedback, at: .morning) }
  }

  /// What followed without a rating, by stars.
  private func followed(of user: String? = nil) throws -> [String] {
    try store.rows(of: "ratings/completion", "stars, without_rating", context, user: user)
      .filter { !$0.hasSuffix("|0") }
  }

  @Test(
    arguments: [
      ("rating_ChatHub_5_after_1", 5), ("rating_ChatHub_4_after_0", 4),
      ("rating_My_App_4_after_12", 4), ("rating_ChatHub_3_after_1", nil),
      ("rating_ChatHub_5", nil), ("rating_ChatHub_0_after_1", nil),
      ("rating_ChatHub_6_after_1", nil), ("rating_ChatHub_5_after_", nil),
      ("rating_ChatHub_5_after_x", nil), ("rating_5_after_1", nil),
      ("xrating_ChatHub_5_after_1", nil), ("rating_ChatHub_+5_after_1", nil),
    ] as [(String, Int?)])
  func `a visit to the App Store has four or five stars before its tries, in a key or a text`(
    word: String, stars: Int?
  ) throws {
    try store.write { _ = try $0.append([event(word)], source: "test") }
    #expect(try followed() == (stars.map { ["\($0)|1"] } ?? []))
    try store.write { _ = try $0.append([event("label", 2, text: word)], source: "test") }
    #expect(try followed() == (stars.map { ["\($0)|2"] } ?? []))
  }

  @Test func `a visit or a text of this period completes a rating of its own stars`() throws {
    let end = 2 * 86_400
    let events = [
      event("rating_ChatHub_5", 1), event("rating_ChatHub_5", 2), event("rating_ChatHub_5", 3),
      event("rating_ChatHub_4", 1), event("rating_ChatHub_2", 1),
      event("rating_ChatHub_5_after_1", 0), event("rating_ChatHub_5_after_1", end - 1),
      event("rating_ChatHub_5_after_1", -1), event("rating_ChatHub_5_after_1", end),
      event("rating_ChatHub_5_after_1", 4, name: "other_events"),
    ]
    try write("slow", 0, user: "u", profile: "p")
    // The same text, read back.
    try mirror("slow", 0, user: "u")
    try mirror("late", end - 1, user: "v")
    try mirror("early", -1, user: "v")
    try mirror("after", end, user: "v")
    #expect(
      try rows(
        of: "ratings/completion",
        "stars, follows, ratings, completed_part, completed_whole, without_rating", events)
        == [
          "5|App Store|3|2|3|0", "4|App Store|1|0|1|0", "3|Feedback|0|0|0|0",
          "2|Feedback|1|1|1|1", "1|Feedback|0|0|0|0",
        ])
  }

  @Test func `without a rating, a visit and a text there is no row`() throws {
    #expect(try rows(of: "ratings/completion", "stars", [event("rating_ChatHub_5", -1)]).isEmpty)
  }

  @Test func `one person's are theirs alone, also of a profile without a user id`() throws {
    let events = [
      event("rating_ChatHub_5_after_1", user: "u1"), event("rating_ChatHub_4_after_1", user: ""),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    try write("slow", 1, user: "", profile: "p")
    try mirror("late", 2, user: "u1")
    #expect(try followed() == ["5|1", "4|1", "2|2"])
    #expect(try followed(of: "u1") == ["5|1", "2|1"])
    #expect(try followed(of: "profile p") == ["2|1"])
    #expect(try followed(of: "u3") == [])
  }

  private func review(
    _ id: String, _ stars: Int, _ seconds: Int, country: String = "us", version: String = "2"
  ) -> AppReview {
    AppReview(
      id: id, appId: 7, country: country, stars: stars, version: version, author: "", title: "",
      text: "", updatedAt: Self.start + .seconds(seconds))
  }

  private func rating(
    _ stars: Int, _ seconds: Int, country: String? = nil, version: String? = nil
  ) -> Event {
    var event = event("rating_ChatHub_\(stars)", seconds)
    event.country = country
    event.appVersion = version
    return event
  }

  @Test func `ratings and reviews of the period, of the one before and of all stand side by side`()
    throws
  {
    let (end, week) = (2 * 86_400, 7 * 86_400)
    try store.write { writer in
      _ = try writer.append(
        [rating(5, 0), rating(1, end - 1), rating(3, -week), rating(3, -week - 1), rating(4, end)],
        source: "test")
    }
    let columns =
      "place, count, mean_total, mean_count, stars_5, stars_4, stars_3, stars_2, stars_1"
    #expect(try store.rows(of: "ratings/store-means", columns, context).isEmpty)
    _ = try store.write {
      try $0.upsert(
        [
          review("a", 5, 0), review("b", 4, end - 1), review("c", 3, end), review("d", 2, -week),
          review("e", 1, -week - 1), review("f", 1, -1),
        ], at: .morning)
    }
    #expect(
      try store.rows(of: "ratings/store-means", columns, context)
        == [
          "In the app, this period|2|6|2|1|0|0|0|1", "In the app, before|1|3|1|0|0|1|0|0",
          "App Store, this period|2|9|2|1|1|0|0|0", "App Store, before|1|2|1|0|0|0|1|0",
          "App Store, all that is held|6|16|6|1|1|1|1|2",
        ])
    let says = { try Set(store.rows(of: "ratings/store-means", "says", context)) }
    #expect(
      try says() == [
        "This period: in the app a mean of 3.00 of 2, in the App Store 4.50 of 2: too few to compare."
      ])
    try store.write { writer in
      _ = try writer.append((0..<28).map { rating(3, 100 + $0) }, source: "more")
      _ = try writer.upsert((0..<24).map { review("more \($0)", 3, 0) }, at: .morning)
    }
    #expect(
      try says() == [
        "This period: in the app a mean of 3.00 of 30, in the App Store 3.12 of 26: too few to "
          + "compare."
      ])
  }

  @Test(arguments: [(29, 30, true), (30, 29, true), (30, 30, false)])
  func `means can be compared of thirty ratings and thirty reviews on`(
    ratings: Int, reviews: Int, areFew: Bool
  ) throws {
    try store.write { writer in
      _ = try writer.append((0..<ratings).map { rating(4, $0) }, source: "test")
      _ = try writer.upsert((0..<reviews).map { review("\($0)", 3, 0) }, at: .morning)
    }
    let words = "This period: in the app a mean of 4.00 of \(ratings), in the App Store 3.00 of "
    #expect(
      Set(try store.rows(of: "ratings/store-means", "says", context))
        == ["\(words)\(reviews)\(areFew ? ": too few to compare" : "")."])
  }

  @Test func `versions and countries with both ratings and reviews stand side by side`() throws {
    let events = [
      rating(5, 1, country: "Germany", version: "2"),
      rating(3, 2, country: "türkiye", version: "9"),
      rating(4, 3, country: "Turkey", version: ""), rating(2, 4, country: "Antarctica"),
      rating(1, -1, country: "Germany", version: "2"),
    ]
    try store.write { _ = try $0.append(events, source: "test") }
    _ = try store.write {
      try $0.upsert(
        [
          review("a", 5, 1, country: "de"), review("b", 4, -99, country: "de"),
          review("c", 1, 1, country: "tr", version: "1"), review("d", 1, 1, version: ""),
        ], at: .morning)
    }
    let counts = "ratings, rating_mean_total, rating_mean_count, reviews, review_mean_total"
    #expect(
      try store.rows(of: "ratings/store-versions", "version, \(counts)", context)
        == ["2|1|5|1|2|9"])
    #expect(
      try store.rows(of: "ratings/store-countries", "country, \(counts)", context)
        == ["Germany|1|5|1|2|9", "Türkiye|2|7|2|1|1"])
  }

  @Test func `items of the outbox are counted by state, and a rejected one is an error`() throws {
    let columns = "state, state_words, count"
    #expect(try store.rows(of: "ratings/outbox", columns, context).isEmpty)
    try store.write { writer in
      for _ in 1...2 {
        _ = try writer.enqueue(.moment, profile: "p", payload: "{}", at: Self.start)
      }
    }
    #expect(
      try store.rows(of: "ratings/outbox", columns, context)
        == [
          "pass|queued|2", "pass|sending|0", "pass|delivered|0", "pass|parked|0", "pass|rejected|0",
        ])
    try store.write { try $0.reject(id: 2, reason: "no") }
    let rejected = try store.rows(of: "ratings/outbox", columns, context)
    #expect(rejected.first == "pass|queued|1" && rejected.last == "error|rejected|1")
  }

  @Test func `changed settings come newest first, without those seen after now or first`() throws {
    let app: [(source: String, name: String, old: String?, seconds: Int)] = [
      ("app-settings", "a", nil, 0), ("app-settings", "b", "1", 0), ("app-settings", "d", nil, 9),
      ("app-settings", "c", nil, 9), ("app-settings", "e", nil, 3 * 86_400 + 1),
      ("remote-config", "f", nil, 5),
    ]
    try store.write { writer in
      for (source, name, old, seconds) in app {
        _ = try writer.run(
          """
          INSERT INTO settings_history (source, wire_name, old_value, new_value, changed_at)
          VALUES (?, ?, ?, '2', ?)
          """, [source, name, old, (Self.start + .seconds(seconds)).microseconds])
      }
    }
    #expect(
      try store.rows(of: "limits/setting-changes", "field, old, new, source", context)
        == ["c|-|2|app-settings", "d|-|2|app-settings", "b|1|2|app-settings"])
  }

  @Test func `events of the dialog are found by their index`() throws {
    let plan = try store.read { reader in
      var asked: [String] = []
      reader.database.trace { event in
        if case .statement(let statement) = event { asked.append(statement.expandedSQL) }
      }
      defer { reader.database.trace() }
      _ = try reader.ratingPrompts(from: Self.start, to: Self.start + .seconds(60))
      return try reader.plan(try #require(asked.last), [])
    }
    #expect(plan.contains { $0.contains("USING INDEX events_rating_prompts (at>") }, "\(plan)")
  }

  @Test func `visits are found by their index`() throws {
    let file = try #require(ShippedSections.all.first { $0.name == "ratings/completion" })
    let plan = try store.read { reader in
      try reader.withRelations { try reader.plan(file.sql, []) }
    }
    #expect(plan.contains { $0.contains("USING INDEX events_rating_visits (at>") }, "\(plan)")
  }
}
