import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct AppendEventsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private let tap = Event(
    name: "ios_refresh_button_tapped", at: .morning, userId: "u1",
    parameters: ["ios_user_type": .string("free_user"), "ios_current_usage": .integer(1)],
    country: "Germany", appVersion: "2.0")

  private func append(_ events: [Event], source: String = "file.ndjson") throws -> AppendCounts {
    try store.write { try $0.append(events, source: source) }
  }

  private func events() throws -> [Event] {
    try store.read { reader in
      var events: [Event] = []
      try reader.forEachEvent { events.append($0) }
      return events
    }
  }

  @Test func `the same events again add nothing, whatever file they come from`() throws {
    #expect(try append([tap]) == AppendCounts(added: 1))
    #expect(try append([tap]) == AppendCounts(duplicates: 1))
    #expect(try append([tap], source: "copy.ndjson") == AppendCounts(duplicates: 1))
    #expect(try store.read { try $0.eventsCount() } == 1)
  }

  @Test func `two equal lines of one file are one event`() throws {
    #expect(try append([tap, tap]) == AppendCounts(added: 1, duplicates: 1))
  }

  @Test func `a difference in instant, name, user or a parameter makes another event`() throws {
    var others = [Event](repeating: tap, count: 6)
    others[0].at = tap.at + .microseconds(1)
    others[1].name = "ios_filter_button_tapped"
    others[2].userId = "u2"
    others[3].parameters["ios_current_usage"] = .integer(2)
    others[4].parameters["ios_current_usage"] = .double(1)
    others[5].parameters["ios_current_usage"] = .string("1")
    #expect(try append([tap] + others) == AppendCounts(added: 7))
  }

  @Test func `text does not slide between name, user and parameters`() throws {
    let first = Event(name: "ab", at: .morning, userId: "c")
    let second = Event(name: "a", at: .morning, userId: "bc")
    #expect(try append([first, second]) == AppendCounts(added: 2))
  }

  static let values: [EventValue] = [
    .string(""), .string("a\"b\\c\u{1}\n\u{1f} é 👩‍👩‍👧‍👦 </script>"), .string("12"), .string("null"),
    .integer(0), .integer(.max), .integer(.min), .double(0), .double(-0.5), .double(1),
    .double(1e300), .double(.leastNonzeroMagnitude), .double(1.0e16), .double(0.1),
  ]

  @Test(arguments: values)
  func `a parameter comes back with its value and its type`(value: EventValue) throws {
    let event = Event(
      name: "x", at: .morning, userId: "", parameters: ["key 'ü\"\\": value, "": .integer(1)])
    #expect(try append([event]) == AppendCounts(added: 1))
    #expect(try events() == [event])
  }

  @Test(arguments: [
    (Double.nan, "NaN"), (.infinity, "inf"), (-Double.infinity, "-inf"),
  ])
  func `what JSON has no number for is kept as a text`(number: Double, text: String) throws {
    _ = try append([
      Event(name: "x", at: .morning, userId: "", parameters: ["k": .double(number)])
    ])
    #expect(try events().map(\.parameters) == [["k": .string(text)]])
  }

  @Test func `events come back oldest first, whole, and by user and period`() throws {
    let events = (0..<5).map { index in
      Event(
        name: "e\(index)", at: .morning + .seconds(index), userId: "u\(index % 2)",
        parameters: index == 2 ? [:] : ["a": .integer(1), "b": .string("x")])
    }
    _ = try append(events.reversed())
    #expect(try self.events() == events)
    var names: [String] = []
    try store.read { reader in
      try reader.forEachEvent(
        EventFilter(from: .morning + .seconds(1), to: .morning + .seconds(4), userId: "u1")
      ) { names.append($0.name) }
    }
    #expect(names == ["e1", "e3"])
    #expect(try store.read { try $0.newestEventAt(at: .morning) } == .morning + .seconds(4))
  }

  @Test func `an event of more than five minutes ahead is not the newest, and is counted`() throws {
    for (lead, name) in [(0, "now"), (300, "bound"), (301, "ahead")] {
      var event = tap
      event.at = .morning + .seconds(lead)
      _ = try append([event])
      let ahead = try store.read { try $0.eventsAhead(of: .morning) }
      let newest = try store.read { try $0.newestEventAt(at: .morning) }
      #expect(ahead.count == (lead > 300 ? 1 : 0), "\(name)")
      #expect(ahead.latest == (lead > 300 ? event.at : nil), "\(name)")
      #expect(newest == .morning + .seconds(min(lead, 300)), "\(name)")
    }
  }

  @Test func `an empty ledger has no newest event`() throws {
    #expect(try store.read { try $0.newestEventAt(at: .morning) } == nil)
    #expect(try events() == [])
  }

  @Test func `reading stops with the error of the one who reads`() throws {
    _ = try append([tap])
    #expect(throws: StoreTests.Stop.self) {
      try store.read { try $0.forEachEvent { _ in throw StoreTests.Stop() } }
    }
  }

  static let names: [(String, String?)] = [
    ("ios_refresh_button_tapped", "ios/refresh/button_tapped"),
    ("android_search_performed", "android/search/performed"),
    ("ios_refresh_unknown", nil), ("ios_profile_button_tapped", nil), ("app_events", nil),
    ("", nil),
  ]

  @Test(arguments: names)
  func `the name of a feature event is taken apart`(name: String, parts: String?) throws {
    var event = tap
    event.name = name
    _ = try append([event])
    let found = try store.read { reader in
      try reader.text("SELECT platform || '/' || feature || '/' || kind FROM events")
    }
    #expect(found == parts)
  }

  static let userTypes: [(EventValue?, String?)] = [
    (.string("free_user"), "free_user"), (.string("new_user"), "new_user"),
    (.string("gold"), nil), (.integer(1), nil), (nil, nil),
  ]

  @Test(arguments: userTypes)
  func `a known user type is kept as the event's segment`(
    value: EventValue?, expected: String?
  ) throws {
    var event = tap
    event.parameters["ios_user_type"] = value
    _ = try append([event])
    #expect(try store.read { try $0.text("SELECT user_type FROM events") } == expected)
  }
}
