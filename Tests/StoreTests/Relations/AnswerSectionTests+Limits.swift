import StoreTesting
import Testing

@testable import Model
@testable import Store

/// The tables that answer an owner's questions about quotas, dialogs, loads and sales.
extension AnswerSectionTests {
  // MARK: Quotas

  private func moment(
    _ seconds: Int, user: String = "u", tier: String = "free", today: Int64? = nil,
    total: Int64? = nil, _ event: MomentEvent = .added
  ) -> Event {
    var parameters: [String: EventValue] = ["ios_subscription_status": .string(tier)]
    parameters["ios_moments_today"] = today.map { .integer($0) }
    parameters["ios_moments_total"] = total.map { .integer($0) }
    return Event(
      name: event.rawValue, at: Self.start + .seconds(seconds), userId: user,
      parameters: parameters)
  }

  private func quotas(
    _ events: [Event], settings: [SettingKey: String] = [:]
  ) throws -> [String] {
    try rows(
      of: "limits/quota-what-if", "quota, moments, note, refused_part, refused_whole, people_part",
      events, settings: settings)
  }

  @Test func `a quota refuses the tries for which as many came before on the day, or in all`()
    throws
  {
    let events = [0, 1, 2, 3, 86_400].map { moment($0) }
    #expect(
      try quotas(events) == [
        "a day|2|-|2|5|1", "a day|3|in force|1|5|1", "a day|4|-|0|5|0", "a day|6|-|0|5|0",
        "in all|5|-|0|5|0", "in all|10|in force|0|5|0", "in all|20|-|0|5|0",
      ])
    #expect(
      Set(try rows(of: "limits/quota-what-if", "says", [])) == [
        "Of 5 tries, 3 a day would refuse 1 (1 of 1 people), and 4 would refuse 0; 10 in all would "
          + "refuse 0 (0 of 1 people), and 20 would refuse 0. In fact 0 were refused."
      ])
    let others = [
      moment(-1), moment(Self.end), moment(5, user: ""), moment(5, tier: "lite"),
      moment(5, .paywallShown),
    ]
    #expect(try quotas(others)[1] == "a day|3|in force|1|5|1")
  }

  @Test func `the quotas in force are those of firetally yml, and one of 1 is not made smaller`()
    throws
  {
    let one: [SettingKey: String] = [.freeMomentsPerDay: "1", .freeMomentsTotal: "1"]
    #expect(
      try quotas([moment(1), moment(2)], settings: one)
        == ["a day|1|in force|1|2|1", "a day|2|-|0|2|0", "in all|1|in force|1|2|1"])
    #expect(
      Set(try rows(of: "limits/quota-what-if", "says", [], settings: one))
        == [
          "Of 2 tries, 1 a day would refuse 1 (1 of 1 people), and 2 would refuse 0. In fact 0 were "
            + "refused."
        ])
    let two: [SettingKey: String] = [.freeMomentsPerDay: "2", .freeMomentsTotal: "2"]
    #expect(
      try quotas([], settings: two).map {
        $0.split(separator: "|").prefix(3).joined(separator: "|")
      }
        == [
          "a day|1|-", "a day|2|in force", "a day|3|-", "a day|4|-", "in all|1|-",
          "in all|2|in force", "in all|4|-",
        ])
  }

  @Test func `what was logged before the first try of the day and of the period counts`() throws {
    let events = [moment(1, today: 2, total: 9), moment(2, today: 3, total: 10, .refused)]
    let found = try quotas(events)
    #expect(found[0...2] == ["a day|2|-|2|2|1", "a day|3|in force|1|2|1", "a day|4|-|0|2|0"])
    #expect(found[5] == "in all|10|in force|1|2|1")
  }

  // MARK: The rating dialog

  private func dialog(
    _ kind: RatingPromptEvent.Kind, _ seconds: Int, user: String = "u", stars: Int64? = nil
  ) -> Event {
    Event(
      name: kind.rawValue, at: Self.start + .seconds(seconds), userId: user,
      parameters: stars.map { ["ios_rating_stars": .integer($0)] } ?? [:])
  }

  private static let tries = "later_before, low_before, shown, later_part, stars_part, high_part"

  @Test
  func `dialogs are told apart by how often they were put off before, from three on together`()
    throws
  {
    let events = (0..<5).flatMap { [dialog(.shown, 10 * $0), dialog(.later, 10 * $0 + 1)] }
    #expect(
      try rows(of: "ratings/tries", Self.tries, events)
        == ["0|0|1|1|0|0", "1|0|1|1|0|0", "2|0|1|1|0|0", "3 or more|0|2|2|0|0"])
  }

  @Test func `low ratings before are those up to three stars, from two on together`() throws {
    let events = [4, 3, 1, 2, 5].enumerated().flatMap { place, stars in
      [dialog(.shown, 10 * place), dialog(.stars, 10 * place + 1, stars: Int64(stars))]
    }
    #expect(
      try rows(of: "ratings/tries", Self.tries, events)
        == ["0|0|2|0|2|1", "0|1|1|0|1|0", "0|2 or more|2|0|2|1"])
  }

  @Test func `dialogs before the period count as tries alone, and nobody without an id has any`()
    throws
  {
    let events = [
      dialog(.shown, -20), dialog(.later, -19), dialog(.shown, 0), dialog(.shown, Self.end),
      dialog(.shown, 1, user: ""), dialog(.later, 2, user: ""), dialog(.shown, 3, user: ""),
    ]
    #expect(try rows(of: "ratings/tries", Self.tries, events) == ["1|0|1|0|0|0"])
    // Nobody else was asked.
    #expect(try rows(of: "ratings/tries", "says", []) == ["-"])
    let other = [dialog(.shown, 5, user: "v"), dialog(.stars, 6, user: "v", stars: 4)]
    #expect(
      Set(try rows(of: "ratings/tries", "says", other)) == [
        "Stars, of the dialogs of people without a low rating before: never put off 1 of 1, "
          + "after 1 Maybe Later 0 of 1."
      ])
  }

  // MARK: Loads

  /// The rows of a section about runs, which the ledger and the report have.
  private func rows(
    of name: String, _ columns: String, runs: [(Int, Run.Trigger)],
    settings: [SettingKey: String] = [:], outcome: Run.Outcome = .ok
  ) throws -> [String] {
    var data = RunsData.none
    try store.write { writer in
      for (seconds, trigger) in runs {
        let at = Self.start + .seconds(seconds)
        var run = Run(
          job: "users", kind: "sync-users", trigger: trigger, startedAt: at,
          endedAt: at + .seconds(1), outcome: trigger == .fresh ? .fresh : outcome,
          counts: RunCounts(fetched: 10, billedReads: trigger == .fresh ? 0 : 10))
        run.id = try writer.begin(run)
        try writer.finish(run)
        data.runs.append(run)
      }
    }
    return try store.rows(
      of: name, columns, context, runs: data,
      settings: SettingsRule.resolve(fetched: [], workspace: settings))
  }

  private static let ages = "age, note, loads, reads, mean_age, oldest"

  @Test(arguments: [(1_799, 1), (1_800, 1), (1_801, 2)])
  func `a copy that is older than the setting is fetched again`(seconds: Int, loads: Int) throws {
    let found = try rows(
      of: "runs/staleness", "age, note, loads", runs: [(0, .stale), (seconds, .fresh)])
    #expect(found == ["900|-|2", "1800|in force|\(loads)", "3600|-|1"])
  }

  @Test(
    arguments: Run.Trigger.allCases.map {
      ($0, [.manual, .filter, .forced, .firstLoad].contains($0) ? 2 : 1)
    })
  func `a run that a person asked for, or that had no copy, fetches at any age`(
    trigger: Run.Trigger, loads: Int
  ) throws {
    let found = try rows(
      of: "runs/staleness", "age, loads", runs: [(0, .stale), (60, trigger)])
    #expect(found == ["900|\(loads)", "1800|\(loads)", "3600|\(loads)"])
  }

  @Test func `the age in force is that of firetally yml, and ages are told of the time between`()
    throws
  {
    let runs: [(Int, Run.Trigger)] = [(0, .firstLoad), (1_000, .stale), (4_000, .stale)]
    #expect(
      try rows(of: "runs/staleness", Self.ages, runs: runs, settings: [.staleness: "2000"])
        == [
          "900|-|3|30|1250.0|3000.0", "1800|-|2|20|2000.0|4000.0",
          "2000|in force|2|20|2000.0|4000.0", "3600|-|2|20|2000.0|4000.0",
        ])
    #expect(
      Set(try rows(of: "runs/staleness", "says", runs: runs, settings: [.staleness: "2000"])) == [
        "The setting decides how old a copy is. At 15 min: 30 billed reads, about 21 min old on "
          + "average. At 30 min: 20 billed reads, about 33 min old on average. At 2000 s (in force): "
          + "20 billed reads, about 33 min old on average. At 60 min: 20 billed reads, about 33 min "
          + "old on average. The job looked 3 times."
      ])
  }

  @Test(arguments: [(17_975, "hardly decides"), (17_974, "setting decides")])
  func `a setting that moves the mean age of a copy by a tenth or less hardly decides it`(
    last: Int, words: String
  ) throws {
    // At 15 min all three load, at 30 and 60 min the first and the last.
    let says = try rows(
      of: "runs/staleness", "says",
      runs: [(0, .firstLoad), (901, .stale), (901 + last, .stale)])
    #expect(says.count == 3 && says.allSatisfy { $0.contains("\(words) how old") }, "\(says)")
  }

  @Test func `of one load nothing is told of the setting`() throws {
    #expect(
      Set(try rows(of: "runs/staleness", "says", runs: [(0, .firstLoad)])) == [
        "Too few loads to tell what the setting does. At 15 min: 10 billed reads. At 30 min (in "
          + "force): 10 billed reads. At 60 min: 10 billed reads. The job looked 1 time."
      ])
  }

  @Test func `each reason for a load has a row, with what it fetched`() throws {
    let runs: [(Int, Run.Trigger)] = [
      (0, .firstLoad), (1, .fresh), (2, .fresh), (3, .forced), (Self.end, .stale),
    ]
    #expect(
      try rows(of: "runs/load-triggers", "\"trigger\", runs, fetched, reads", runs: runs)
        == ["Fresh|2|20|0", "First load|1|10|10", "Forced|1|10|10"])
    #expect(
      try rows(
        of: "runs/load-triggers", "\"trigger\", runs", runs: [(9, .filter)], outcome: .locked)
        == [])
  }

  // MARK: Sales

  @Test(arguments: [(86_399, ["1|0", "0|1"]), (86_400, ["0|1", "1|0"])])
  func `a sale through the limit belongs to the day on which it began`(
    second: Int, expected: [String]
  ) throws {
    let events = [
      event(.popupShown, 1), event(.blockedLimitReached, 2), event(.subscriptionButtonTapped, 3),
      event(.performed, second, .refresh, .liteSubscriber),
    ]
    var facts = days
    for place in facts.indices { facts[place].newSubscribers = 1 }
    // The facts have a sale on each of both days; the limit's is one of them.
    let found = try rows(of: "money/by-day", "through, others", events, days: facts)
    #expect(found == expected)
  }

  @Test func `first terms of a day are its new subscribers times the price`() throws {
    var facts = days
    facts[0].newSubscribers = 3
    facts[1].coverage = .none
    let found = try rows(
      of: "money/by-day", "day, through, others, estimate, estimate_currency, is_gap",
      [event(.buttonTapped, 1)], days: facts, prices: [.lite: "$2.99/week"])
    #expect(found == ["2026-03-02|0|3|8.97|$|0"])
  }
}
