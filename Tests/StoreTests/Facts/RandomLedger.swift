import Fixtures
import GRDB
import Model
import StoreTesting

@testable import Store

/// A small ledger that changes at random in every way in which one can change.
struct RandomLedger {
  /// The beginning of a day in UTC, and of the last one `dayCount - 1` days later.
  static let first = Instant(unixSeconds: Instant.morning.unixSeconds / 86_400 * 86_400)
  static let dayCount = 50
  /// The last days have most of the events.
  static let busyDays = 9
  private static let day = 86_400
  private static let users = ["ada", "bo", "cy", "dee", "eve", "profile test", ""]

  let store: Store
  var random: SeededGenerator
  private var appends = 0

  init(_ store: Store, seed: UInt64) {
    self.store = store
    random = SeededGenerator(seed: seed)
  }

  /// The civil days of the ledger, as `keepCounts` takes them.
  static var days: [Range<Instant>] {
    (0..<dayCount).map { number in
      let start = first + .seconds(number * day)
      return start..<start + .seconds(day)
    }
  }

  /// Changes the ledger in one way.
  mutating func change() throws {
    switch random.integer(0...9) {
    case 0...4: try append(random.integer(1...60))
    case 5:
      let start = instant()
      let end = start + .seconds(random.integer(0...2 * Self.day))
      _ = try store.write { writer in
        try writer.run(
          "DELETE FROM events WHERE at BETWEEN ? AND ?", [start.microseconds, end.microseconds])
      }
    case 6:
      let id = random.pick("ada", "bo", "cy")
      _ = try store.erasing { try $0.erasePerson(id: id) }
    case 7:
      let cutoff = Self.first + .seconds(random.integer(0...43 * Self.day))
      _ = try store.write { try $0.removeEvents(before: cutoff) }
    case 8:
      let start = instant()
      let country = random.pick("Chile", "Kenya", "")
      _ = try store.write { writer in
        try writer.run(
          "UPDATE events SET country = ? WHERE at > ? AND at < ?",
          [country, start.microseconds, (start + .seconds(Self.day / 3)).microseconds])
      }
    default: try keep()
    }
  }

  /// Keeps the counts, sometimes those of another platform.
  mutating func keep() throws {
    // On some day before the last one: what comes later is not kept yet.
    let days = random.flip() ? Self.dayCount : random.integer(40...Self.dayCount)
    let platform = random.integer(0...4) == 0 ? nil : "ios"
    try store.keepCounts(of: Array(Self.days.prefix(days)), in: "UTC", on: platform)
  }

  func keep(on platform: String?) throws {
    try store.keepCounts(of: Self.days, in: "UTC", on: platform)
  }

  /// Any instant of the days, often one near a midnight.
  mutating func instant() -> Instant {
    let first = random.integer(0...5) == 0 ? 0 : Self.dayCount - Self.busyDays
    let day = random.integer(first...Self.dayCount - 1)
    let second = random.pick(
      random.integer(0...Self.day - 1), random.integer(0...1_800), Self.day - 1, 0,
      random.integer(Self.day - 1_800...Self.day - 1))
    return Self.first + .seconds(day * Self.day + second)
      + .microseconds(Int64(random.pick(0, 0, 1, 999_999)))
  }

  private mutating func append(_ count: Int) throws {
    var at = instant()
    var user = random.pick(Self.users, or: "")
    var events: [Event] = []
    for _ in 0..<count {
      // A sitting, another one, the same instant again, or half an hour later.
      switch random.integer(0...9) {
      case 0:
        at = instant()
        user = random.pick(Self.users, or: "")
      case 1: break
      case 2: at = at + .seconds(random.pick(1_799, 1_800, 1_801))
      default: at = at + .seconds(random.integer(1...900))
      }
      events.append(event(user, at: at))
    }
    appends += 1
    let source = "test \(appends)"
    try store.write { _ = try $0.append(events, source: source) }
  }

  private mutating func event(_ user: String, at: Instant) -> Event {
    let platform = random.integer(0...5) == 0 ? "android" : "ios"
    let kind = random.pick(EventKind.allCases, or: .performed)
    let feature = random.pick(Feature.refresh, .refresh, .filter, .search)
    let type = random.pick(UserType.freeUser, .freeUser, .freeUser, .newUser, .liteSubscriber, nil)
    var parameters: [String: EventValue] = [:]
    func set(_ name: String, _ value: EventValue) { parameters["\(platform)_\(name)"] = value }
    if let type { set("user_type", .string(type.rawValue)) }
    if random.flip() {
      set("usage_limit", .integer(Int64(random.integer(0...3))))
      set("current_usage", .integer(Int64(random.integer(0...4))))
    }
    if random.flip() {
      set("subscription_price_displayed", .string(random.pick("€1.99/week", "9,99 €", "soon", "")))
    }
    if kind == .popupDismissed, random.flip() {
      set("dismiss_reason", .string(random.pick("dismissed", "expired")))
      set("popup_seconds", .integer(Int64(random.integer(0...30))))
    }
    if feature == .filter {
      set("filter_gender", .string(random.pick("Female", "")))
      set("filter_country", .string(random.pick("Chile", "")))
      set("filter_result_count", .integer(Int64(random.integer(0...2))))
    }
    return Event(
      name: FeatureEventName(platform: platform, feature: feature, kind: kind).text, at: at,
      userId: user, parameters: parameters, country: random.pick("Chile", "Kenya", "", nil),
      appVersion: random.pick("1.0", "2.0", nil))
  }
}
