package import Feeds
package import Model
package import Rules

/// Writes decisions as JSON, one a line, into bytes that are used again; docs/replay.md#replay.
package struct DecisionLines {
  /// What was written since the last `removeAll`.
  package private(set) var bytes: [UInt8] = []

  private let users: UserInterner
  /// What stands between the user and the cooldown, by feature, verb and the two booleans.
  private let heads: [[UInt8]]
  private let verbsCount = LimitVerb.allCases.count
  /// The limit of each feature.
  private let limits: [[UInt8]]
  /// What stands behind the limit, by the boolean, the user type and the set of events.
  private var tails: [[UInt8]?]

  package init(replay: LimitReplay, users: UserInterner) {
    self.users = users
    heads = Self.heads()
    limits = Feature.allCases.map { feature in
      let limit = replay.limit(of: feature).map { String($0.limit) } ?? "null"
      return Array(#","limit":\#(limit),"isLimitReached":"#.utf8)
    }
    tails = Array(repeating: nil, count: 2 * UserType.allCases.count * LimitEvents.setsCount)
    bytes.reserveCapacity(1 << 17)
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func append(
    _ result: LimitResult, of attempt: LimitAttempt, user: Int
  ) {
    append(#"{"at":"#)
    append(seconds: attempt.at.microseconds, of: 1_000_000)
    append(#","user":""#)
    users.withEncodedName(of: user) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: heads[head(of: attempt, result)])
    append(milliseconds: result.remainingCooldown)
    append(#","currentUsage":"#)
    append(UInt64(result.currentUsage))
    bytes.append(contentsOf: limits[attempt.feature.position])
    appendTail(of: result, isLimitReached: result.isLimitReached)
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Rounded to the nearest millisecond.
  private mutating func append(milliseconds duration: Duration) {
    guard duration != .zero else { return bytes.append(UInt8(ascii: "0")) }
    append(seconds: (duration.microseconds + 500) / 1_000, of: 1_000)
  }

  /// Seconds from parts of a second, without zeros at the end of the fraction.
  private mutating func append(seconds parts: Int64, of unit: UInt64) {
    if parts < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = parts.magnitude.quotientAndRemainder(dividingBy: unit)
    append(whole)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var fraction = rest
    var place = unit
    while fraction > 0 {
      place /= 10
      let (digit, smaller) = fraction.quotientAndRemainder(dividingBy: place)
      bytes.append(0x30 | UInt8(truncatingIfNeeded: digit))
      fraction = smaller
    }
  }

  private mutating func append(_ number: UInt64) {
    guard number >= 10 else { return bytes.append(0x30 | UInt8(truncatingIfNeeded: number)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.mostDigits) { digits in
      var first = Self.mostDigits
      var rest = number
      while rest > 0 {
        first -= 1
        digits[first] = 0x30 | UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  /// Of 64 bits.
  private static let mostDigits = 20

  private mutating func appendTail(of result: LimitResult, isLimitReached: Bool) {
    let type = result.userType.position * 2 + (isLimitReached ? 1 : 0)
    let index = type * LimitEvents.setsCount + Int(result.eventSet.rawValue)
    if let tail = tails[index] { return bytes.append(contentsOf: tail) }
    let events = result.events.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    let text =
      "\(isLimitReached),\"userType\":\"\(result.userType.rawValue)\",\"events\":[\(events)]}\n"
    let tail = Array(text.utf8)
    tails[index] = tail
    bytes.append(contentsOf: tail)
  }
}

/// The texts that are made once.
extension DecisionLines {
  private static func heads() -> [[UInt8]] {
    Feature.allCases.flatMap { feature in
      LimitVerb.allCases.flatMap { verb in
        [(false, false), (false, true), (true, false), (true, true)].map { proceeds, shows in
          Array(
            """
            ","feature":"\(feature.rawValue)","verb":"\(verb.rawValue)","canProceed":\(proceeds),\
            "showPopup":\(shows),"remainingCooldown":
            """.utf8)
        }
      }
    }
  }

  private func head(of attempt: LimitAttempt, _ result: LimitResult) -> Int {
    let verb = attempt.feature.position * verbsCount + attempt.verb.position
    return verb * 4 + (result.canProceed ? 2 : 0) + (result.showPopup ? 1 : 0)
  }
}

extension LimitVerb {
  /// The place in `allCases`.
  fileprivate var position: Int {
    switch self {
    case .peek: 0
    case .check: 1
    case .use: 2
    }
  }
}

extension UserType {
  /// The place in `allCases`.
  fileprivate var position: Int {
    switch self {
    case .liteSubscriber: 0
    case .newUser: 1
    case .freeUser: 2
    }
  }
}
