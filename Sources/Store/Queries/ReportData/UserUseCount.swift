import Model

/// Counts what each user did in a period, as the events come.
struct UserUseCount {
  private struct User {
    var isActive = false
    var taps = 0
    var freeTaps = 0
    var performed = 0
    var blocked = 0
  }

  /// By the number of the user.
  private var users: [User] = []

  /// Distinct users so far.
  private(set) var count = 0

  mutating func add(_ user: Int, _ event: BucketCounter.EventKey) {
    while users.count <= user { users.append(User()) }
    if !users[user].isActive {
      users[user].isActive = true
      count += 1
    }
    switch event.kind {
    case .buttonTapped:
      users[user].taps += 1
      if UserType.canBeBlocked(event.userType) { users[user].freeTaps += 1 }
    case .performed: users[user].performed += 1
    case .blockedLimitReached, .blockedCooldown: users[user].blocked += 1
    default: break
    }
  }

  /// The heaviest by taps, then by performed, most first, then by the bytes of the id; without
  /// names.
  func heaviest(_ limit: Int, ids: StringInterner) -> [UsageData.HeavyUser] {
    users.indices.filter { users[$0].isActive }.sorted { isHeavier($0, $1, ids) }.prefix(limit)
      .map { number in
        let user = users[number]
        return UsageData.HeavyUser(
          userId: ids[number], name: nil, taps: user.taps, freeTaps: user.freeTaps,
          performed: user.performed, blocked: user.blocked)
      }
  }

  private func isHeavier(_ left: Int, _ right: Int, _ ids: StringInterner) -> Bool {
    if users[left].taps != users[right].taps { return users[left].taps > users[right].taps }
    if users[left].performed != users[right].performed {
      return users[left].performed > users[right].performed
    }
    return ids[left].utf8.lexicographicallyPrecedes(ids[right].utf8)
  }
}

/// Counts distinct users in spans that may overlap.
struct SpanCount {
  private let spans: [Range<Int64>]
  /// By the number of the user: a bit for each span in which the user was met.
  private var met: [UInt8] = []
  private(set) var counts: [Int]

  /// - Precondition: there are at most 8 spans.
  init(_ spans: [Range<Int64>]) {
    precondition(spans.count <= UInt8.bitWidth, "a user has a bit for each span")
    self.spans = spans
    counts = [Int](repeating: 0, count: spans.count)
  }

  mutating func add(_ user: Int, at microseconds: Int64) {
    while met.count <= user { met.append(0) }
    for (index, span) in spans.enumerated() where span.contains(microseconds) {
      let bit: UInt8 = 1 << index
      guard met[user] & bit == 0 else { continue }
      met[user] |= bit
      counts[index] += 1
    }
  }
}
