import Glibc
import Model

/// The text between a line's values, which all lines of one program share.
///
/// A line of a known layout is read without looking for its keys. Whatever is unusual about a line
/// is left to `ReplayLine`, which alone finds faults.
struct ReplayLayout: Equatable {
  /// A value, and where in `text` lies what stands before it: the quote of a text is part of that.
  private struct Part: Equatable {
    let member: ReplayLine.Member
    let lead: Range<Int>
  }

  /// What stands before each value, and behind the last one.
  private var text: [UInt8] = []
  private var parts: [Part] = []
  private var trail: Range<Int> { (parts.last?.lead.upperBound ?? 0)..<text.count }

  /// Learns the layout of a line that is an attempt; nil when it has members that nobody knows.
  init?(of line: UnsafeBufferPointer<UInt8>) {
    var end = 0
    do throws(JSONScanner.Fault) {
      var scanner = try JSONScanner(validating: line)
      try scanner.members { scanner, key throws(JSONScanner.Fault) in
        guard let member = ReplayLine.Member(key) else { throw .init(reason: "an unknown member") }
        let quote = scanner.peek() == UInt8(ascii: "\"") ? 1 : 0
        let start = text.count
        text += line[end..<scanner.offset + quote]
        parts.append(Part(member: member, lead: start..<text.count))
        try scanner.skipValue()
        end = scanner.offset - quote
      }
      text += line[end...]
    } catch {
      return nil
    }
  }

  /// Parses a line of this layout and interns its user; nil for any other line.
  func attempt(
    in line: UnsafeBufferPointer<UInt8>, users: UserInterner
  ) -> (LimitAttempt, user: Int)? {
    guard let start = line.baseAddress else { return nil }
    return text.withUnsafeBufferPointer { text in
      var reader = ReplayValues(position: start, end: start + line.count)
      for part in parts {
        guard reader.take(text, part.lead), read(part.member, &reader) else { return nil }
      }
      guard reader.take(text, trail), reader.position == reader.end else { return nil }
      return (reader.attempt, users.number(ofPlain: reader.user))
    }
  }

  @inline(__always)
  private func read(_ member: ReplayLine.Member, _ reader: inout ReplayValues) -> Bool {
    switch member {
    case .at: reader.readTime()
    case .user: reader.readUser()
    case .feature: reader.readFeature()
    case .verb: reader.readVerb()
    case .succeeds: reader.readSucceeds()
    case .tier: reader.readTier()
    case .firstAccountCreatedAt: reader.readFirstAccount()
    }
  }
}

/// The values of one line, written as programs usually write them.
///
/// Each method consumes a value and returns true, or returns false for one in another form. A line
/// feed follows the bytes, so that no value runs beyond them.
private struct ReplayValues {
  private(set) var position: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  private(set) var user = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private(set) var attempt = LimitAttempt(
    at: Instant(unixSeconds: 0), feature: .refresh, verb: .use, succeeds: true, tier: .free,
    firstAccountCreatedAt: nil)

  init(position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.position = position
    self.end = end
  }

  /// Consumes exactly these bytes.
  @inline(__always)
  mutating func take(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard let base = text.baseAddress, end - position >= range.count,
      memcmp(position, base + range.lowerBound, range.count) == 0
    else { return false }
    position += range.count
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end - position >= count, memcmp(position, word.utf8Start, count) == 0 else {
      return false
    }
    position += count
    return true
  }

  mutating func readTime() -> Bool {
    guard let instant = instant() else { return false }
    attempt.at = instant
    return true
  }

  mutating func readFirstAccount() -> Bool {
    if take("null") {
      attempt.firstAccountCreatedAt = nil
      return true
    }
    attempt.firstAccountCreatedAt = instant()
    return attempt.firstAccountCreatedAt != nil
  }

  /// Plain ASCII, at least one character.
  mutating func readUser() -> Bool {
    let first = position
    while position.pointee != UInt8(ascii: "\"") {
      let byte = position.pointee
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return false }
      position += 1
    }
    user = UnsafeBufferPointer(start: first, count: position - first)
    return !user.isEmpty
  }

  mutating func readSucceeds() -> Bool {
    attempt.succeeds = position.pointee == UInt8(ascii: "t")
    return take(attempt.succeeds ? "true" : "false")
  }

  mutating func readFeature() -> Bool {
    guard let feature = Feature(word()) else { return false }
    attempt.feature = feature
    return true
  }

  mutating func readVerb() -> Bool {
    guard let verb = LimitVerb(word()) else { return false }
    attempt.verb = verb
    return true
  }

  mutating func readTier() -> Bool {
    guard let tier = Tier(word()) else { return false }
    attempt.tier = tier
    return true
  }

  /// Consumes lower-case letters.
  private mutating func word() -> JSONScanner.Key {
    let first = position
    while position.pointee &- UInt8(ascii: "a") < 26 { position += 1 }
    return JSONScanner.Key(plain: UnsafeBufferPointer(start: first, count: position - first))
  }

  /// Seconds with at most twelve digits before the point and six behind it; nil for a number in
  /// another form.
  private mutating func instant() -> Instant? {
    let first = position
    let seconds = digits()
    let count = position - first
    guard 1...12 ~= count, count == 1 || first.pointee != UInt8(ascii: "0") else { return nil }
    var microseconds = seconds * 1_000_000
    if position.pointee == UInt8(ascii: ".") {
      position += 1
      let point = position
      let fraction = digits()
      guard 1...6 ~= position - point else { return nil }
      microseconds += fraction * Self.scales[position - point]
    }
    return UnixSeconds.years.contains(microseconds) ? Instant(microseconds: microseconds) : nil
  }

  /// Microseconds of a fraction's last digit, by the number of digits.
  private static let scales: InlineArray<7, Int64> = [
    1_000_000, 100_000, 10_000, 1_000, 100, 10, 1,
  ]

  /// Consumes digits and returns their value, which is right for at most 18 of them.
  @inline(__always)
  private mutating func digits() -> Int64 {
    var number: Int64 = 0
    while position.pointee &- 0x30 <= 9 {
      number = number &* 10 &+ Int64(position.pointee & 0x0F)
      position += 1
    }
    return number
  }
}

/// The layouts of a file's lines.
struct ReplayLayouts {
  /// How many lines are learned from; more layouts would cost more than they save.
  private static let mostLines = 4

  private(set) var layouts: [ReplayLayout] = []
  private var learnedLines = 0

  /// Parses a line of a known layout; nil for any other.
  func attempt(
    in line: UnsafeBufferPointer<UInt8>, users: UserInterner
  ) -> (LimitAttempt, user: Int)? {
    for layout in layouts {
      if let found = layout.attempt(in: line, users: users) { return found }
    }
    return nil
  }

  /// Remembers the layout of a line that is an attempt.
  mutating func learn(_ line: UnsafeBufferPointer<UInt8>) {
    guard learnedLines < Self.mostLines else { return }
    learnedLines += 1
    if let layout = ReplayLayout(of: line), !layouts.contains(layout) { layouts.append(layout) }
  }
}
