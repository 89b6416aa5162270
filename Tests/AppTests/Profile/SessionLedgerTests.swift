import App
import Fixtures
import Model
import Store
import Testing

@Suite("The ledger of a history")
struct SessionLedgerTests {
  /// One attempt of a history.
  private struct Move {
    var feature: Feature
    var isUse: Bool
    var at: Instant
  }

  private static func moves(seed: UInt64, count: Int = 120) -> [Move] {
    var random = SeededGenerator(seed: seed)
    var now = SessionStore.start
    return (0..<count).map { _ in
      let pauses: [ClosedRange<Int64>] = [0...3_000, 0...90_000, 0...2_400_000]
      let pause = pauses.randomElement(using: &random) ?? 0...1
      now = now + .milliseconds(Int64.random(in: pause, using: &random))
      return Move(
        feature: [.refresh, .filter, .search].randomElement(using: &random) ?? .refresh,
        isUse: Int.random(in: 0..<3, using: &random) > 0, at: now)
    }
  }

  /// The events with the ids of their sessions replaced by numbers.
  private func ledger(_ workspace: SessionStore, keepsSessions: Bool = true) throws -> [Event] {
    var numbers: [EventValue: Int64] = [:]
    return try workspace.events().map { event in
      var event = event
      if let id = event.parameters["ios_session_id"] {
        let number = numbers[id] ?? Int64(numbers.count)
        numbers[id] = number
        event.parameters["ios_session_id"] = .integer(number)
      }
      if !keepsSessions {
        event.parameters = event.parameters.filter { !$0.key.hasPrefix("ios_session_") }
      }
      return event
    }
  }

  private func play(_ moves: [Move], _ attempt: (ProfileSession, Move) throws -> Void) throws
    -> SessionStore
  {
    let workspace = try SessionStore()
    for (number, move) in moves.enumerated() {
      try attempt(workspace.session(price: "$1", id: "visit \(number)"), move)
    }
    return workspace
  }

  @Test(arguments: FuzzCases.seeds(3, orMany: 12))
  func `uses at once and uses that take time, in one session or many, leave the same ledger`(
    seed: UInt64
  ) throws {
    let moves = Self.moves(seed: seed)
    let atOnce = try play(moves) { session, move in
      _ =
        try move.isUse
        ? session.use(move.feature, now: move.at) : session.check(move.feature, now: move.at)
    }
    let slowly = try play(moves) { session, move in
      guard move.isUse else { return _ = try session.check(move.feature, now: move.at) }
      let start = try session.beginUse(move.feature, now: move.at, owner: "me")
      guard let ticket = start.ticket else { return }
      try session.finishUse(ticket, succeeded: true, now: move.at)
    }
    #expect(try ledger(atOnce) == ledger(slowly), "seed \(seed)")
    let settling = try play(moves) { session, move in
      // In the last second an end is recorded at the time of the question.
      let isLastSecond = try Feature.allCases.contains { feature in
        let result = try session.peek(feature, now: move.at).result
        return result.toleratedCooldown > .zero
      }
      if !isLastSecond { _ = try session.expireCooldowns(now: move.at) }
      _ =
        try move.isUse
        ? session.use(move.feature, now: move.at) : session.check(move.feature, now: move.at)
      if !isLastSecond { _ = try session.expireCooldowns(now: move.at) }
    }
    let later = (moves.last?.at ?? SessionStore.start) + .seconds(9_000)
    _ = try atOnce.session().expireCooldowns(now: later)
    _ = try settling.session().expireCooldowns(now: later)
    #expect(
      Set(try ledger(atOnce, keepsSessions: false))
        == Set(try ledger(settling, keepsSessions: false)), "seed \(seed)")
  }

  @Test(arguments: FuzzCases.seeds(3, orMany: 12))
  func `usage is what held when the event happened`(seed: UInt64) throws {
    let workspace = try play(Self.moves(seed: seed)) { session, move in
      _ =
        try move.isUse
        ? session.use(move.feature, now: move.at) : session.check(move.feature, now: move.at)
    }
    var usages: [Feature: Int64] = [:]
    for event in try workspace.events() {
      let name = try #require(FeatureEventName(event.name))
      if name.kind == .performed { usages[name.feature, default: 0] += 1 }
      if [.limitReset, .cooldownCompleted].contains(name.kind) { usages[name.feature] = 0 }
      #expect(
        event.parameters["ios_current_usage"] == .integer(usages[name.feature] ?? 0),
        "seed \(seed), \(event.name) at \(event.at)")
      #expect(event.parameters["ios_conversion_funnel_step"] == .string(name.kind.funnelStep))
      #expect(event.parameters["ios_timestamp"] == .integer(event.at.unixSeconds))
    }
  }

  @Test func `a blocked check and a blocked use leave the same ledger`() throws {
    let ledgers = try [true, false].map { isUse in
      let workspace = try SessionStore()
      for _ in 1...2 { _ = try workspace.session().use(.refresh, now: SessionStore.start) }
      for seconds in [1, 50] {
        let now = SessionStore.start + .seconds(seconds)
        _ =
          try isUse
          ? workspace.session().use(.refresh, now: now)
          : workspace.session().check(.refresh, now: now)
      }
      return try ledger(workspace)
    }
    #expect(ledgers[0] == ledgers[1])
    let taps = ledgers[0].filter { $0.name == "ios_refresh_button_tapped" }
    // The third tap opens the popup that starts the wait, which there was none of before.
    let waits: [EventValue?] = [.integer(0), .integer(0), .integer(0), .integer(71)]
    #expect(taps.map { $0.parameters["ios_remaining_cooldown_seconds"] } == waits)
  }

  @Test
  func `commands of one visit share its id and counts; half an hour later there is another`() throws
  {
    let workspace = try SessionStore()
    let start = SessionStore.start
    _ = try workspace.session(id: "a").check(.refresh, now: start)
    _ = try workspace.session(id: "b").tap(.popupDismissed, on: .refresh, now: start + .seconds(9))
    _ = try workspace.session(id: "c").use(.refresh, now: start + .seconds(1_800))
    _ = try workspace.session(id: "d").use(.refresh, now: start + .seconds(3_599))
    _ = try workspace.session(id: "e").use(.filter, now: start + .seconds(5_399))
    _ = try workspace.session(profile: "ana", id: "f").check(.refresh, now: start)
    let performed = try workspace.events().filter { $0.name.hasSuffix("_performed") }
    func values(_ name: String) -> [EventValue?] {
      performed.map { $0.parameters["ios_session_" + name] }
    }
    let ids: [EventValue?] = [.string("a"), .string("a"), .string("e")]
    #expect(values("id") == ids)
    let numbers: [EventValue?] = [.integer(6), .integer(9), .integer(3)]
    #expect(values("event_number") == numbers)
    let refreshes: [EventValue?] = [.integer(1), .integer(2), nil]
    #expect(values("refresh_count") == refreshes)
    let filters: [EventValue?] = [nil, nil, .integer(1)]
    #expect(values("filter_count") == filters)
    let visits = Set(try workspace.events().compactMap { $0.parameters["ios_session_id"] })
    let expected: Set<EventValue> = [.string("a"), .string("e"), .string("f")]
    #expect(visits == expected)
  }
}

@Suite("Settling ended cooldowns")
struct SessionExpiryTests {
  private let start = SessionStore.start

  /// At the limit, with a cooldown that began at the start.
  private func blocked() throws -> SessionStore {
    let workspace = try SessionStore()
    for _ in 1...3 { _ = try workspace.session().use(.refresh, now: start) }
    return workspace
  }

  private func ends(_ workspace: SessionStore) throws -> [Event] {
    try workspace.events().filter {
      $0.name == "ios_refresh_limit_reset" || $0.name == "ios_refresh_cooldown_completed"
    }
  }

  @Test
  func `the end is recorded once, at its time, whoever comes first and however often`() throws {
    let firsts: [(SessionStore, Instant) throws -> Void] = [
      { _ = try $0.session().expireCooldowns(now: $1) },
      { _ = try $0.session().check(.refresh, now: $1) },
      { _ = try $0.session().use(.refresh, now: $1) },
      { _ = try $0.session().beginUse(.refresh, now: $1, owner: "me") },
      { _ = try $0.session().tap(.popupDismissed, on: .refresh, now: $1) },
      { _ = try $0.session().reset([.refresh], now: $1) },
    ]
    for first in firsts {
      let workspace = try blocked()
      try first(workspace, start + .seconds(500))
      let found = try ends(workspace).filter { $0.parameters["ios_reset_reason"] == nil }
      let ended = start + .seconds(120)
      #expect(found.map(\.at) == [ended, ended])
      let seconds = found.map { $0.parameters["ios_timestamp"] }
      #expect(seconds.allSatisfy { $0 == .integer(1_769_846_520) })
      for second in firsts { try second(workspace, start + .seconds(501)) }
      #expect(try ends(workspace).filter { $0.parameters["ios_reset_reason"] == nil } == found)
    }
  }

  @Test func `an end before a change of the tier tells of the tier that was`() throws {
    let workspace = try blocked()
    try workspace.session().changeTier(.lite, now: start + .seconds(500))
    let free: [EventValue?] = [.string("free"), .string("free")]
    #expect(try ends(workspace).map { $0.parameters["ios_subscription_status"] } == free)
    #expect(try workspace.events().last?.name == "tier_changed")
  }

  @Test func `nothing is settled before the end, and no other feature or profile`() throws {
    let workspace = try blocked()
    _ = try workspace.session(profile: "ana").use(.refresh, now: start)
    let before = try workspace.events().count
    #expect(try workspace.session().expireCooldowns(now: start + .milliseconds(118_999)) == [])
    #expect(try workspace.session(profile: "ana").expireCooldowns(now: start + .seconds(500)) == [])
    #expect(try workspace.events().count == before)
    #expect(
      try workspace.session().expireCooldowns(now: start + .milliseconds(120_000)) == [.refresh])
    let ended = start + .seconds(120)
    #expect(try ends(workspace).map(\.at) == [ended, ended])
  }

  @Test(arguments: [(118_999, false), (119_000, true), (119_999, true), (120_000, true)])
  func `settle finds an end exactly when peek does: with 1.0 s left`(
    milliseconds: Int, isOver: Bool
  ) throws {
    let workspace = try blocked()
    let now = start + .milliseconds(milliseconds)
    #expect(try workspace.session().peek(.refresh, now: now).result.canProceed == isOver)
    #expect(try workspace.session().expireCooldowns(now: now) == (isOver ? [.refresh] : []))
    #expect(try ends(workspace).map(\.at) == (isOver ? [now, now] : []))
  }

  @Test
  func `an end that is told late belongs to the session of its time, or to one of its own`() throws
  {
    for (cooldown, id) in [("120", "a"), ("7200", "own")] {
      let workspace = try SessionStore()
      let set: [SettingKey: String] = [.searchLimit: "1", .searchCooldown: cooldown]
      _ = try workspace.session(set: set, id: "a").use(.search, now: start)
      _ = try workspace.session(set: set, id: "x").check(.search, now: start + .seconds(1))
      let later = start + .seconds(180_000)
      _ = try workspace.session(set: set, id: "today").check(.refresh, now: later)
      _ = try workspace.session(set: set, id: "own").check(.search, now: later + .seconds(60))
      let events = try workspace.events()
      let end = events.filter { $0.at == start + .seconds(id == "a" ? 121 : 7_201) }
      #expect(
        end.map(\.name) == [
          "ios_search_popup_dismissed", "ios_search_limit_reset", "ios_search_cooldown_completed",
        ])
      #expect(end.allSatisfy { $0.parameters["ios_session_id"] == .string(id) })
      let first: Int64 = id == "a" ? 7 : 1
      #expect(
        end.map { $0.parameters["ios_session_event_number"] }
          == (first..<first + 3).map { .integer($0) })
      let today = events.filter { $0.at >= later }
      #expect(today.allSatisfy { $0.parameters["ios_session_id"] == .string("today") })
      #expect(
        today.map { $0.parameters["ios_session_event_number"] }
          == (1...Int64(today.count)).map { .integer($0) })
      // No cooldown runs, so nothing can be recorded late any more.
      #expect(try workspace.store.read { try $0.appSessions(profile: "default") }.count == 1)
    }
  }

  @Test(arguments: [(Duration.seconds(300), "a"), (.microseconds(300_000_001), "b")])
  func `a session that a wrong clock put more than 300 s ahead is none`(lead: Duration, id: String)
    throws
  {
    let workspace = try SessionStore()
    _ = try workspace.session(id: "a").check(.refresh, now: start + lead)
    _ = try workspace.session(id: "b").check(.search, now: start)
    let now = try workspace.events().filter { $0.at == start }
    #expect(!now.isEmpty)
    #expect(now.allSatisfy { $0.parameters["ios_session_id"] == .string(id) })
    #expect(try workspace.store.read { try $0.appSessions(profile: "default") }.map(\.id) == [id])
  }

  @Test func `a cooldown whose feature is not limited any more keeps no session open`() throws {
    let workspace = try SessionStore()
    let set: [SettingKey: String] = [.messageLimit: "1", .messageCooldown: "60"]
    _ = try workspace.session(set: set, id: "a").use(.message, now: start)
    _ = try workspace.session(set: set, id: "a").check(.message, now: start + .seconds(1))
    for hour in 1...3 {
      _ = try workspace.session(id: "\(hour)").check(.refresh, now: start + .seconds(3_600 * hour))
    }
    #expect(try workspace.store.read { try $0.appSessions(profile: "default") }.map(\.id) == ["3"])
  }

  @Test func `of many processes that settle at once exactly one records the end`() throws {
    let workspace = try blocked()
    let later = start + .seconds(500)
    let stores = try (0..<4).map { _ in try workspace.reopened() }
    let settled = try stores.flatMap { try workspace.session(on: $0).expireCooldowns(now: later) }
    #expect(settled == [.refresh])
    #expect(try ends(workspace).count == 2)
  }

  @Test func `a filter's events bear its criteria, and the result what it finds`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.saveFilter { _, _ in UserFilter(country: "Spain") }
    _ = try session.use(.filter, now: start)
    let events = try workspace.events()
    for event in events {
      #expect(event.parameters["ios_filter_criteria"] == .string("country Spain"))
    }
    let results: [EventValue?] = [nil, nil, .integer(0)]
    #expect(events.map { $0.parameters["ios_filter_result_count"] } == results)
  }
}
