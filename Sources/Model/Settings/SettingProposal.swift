/// A change of a setting that somebody proposed, and what it is expected to do:
/// docs/proposals.md.
package struct SettingProposal: Hashable, Sendable {
  package var key: SettingKey
  /// What the settings document said then, as text; nil when it did not name the setting.
  package var oldValue: String?
  package var value: Int
  package var reason: String
  /// Percentage points by which the share of people who tap to subscribe should move; not 0.
  package var expectedPoints: Double
  package var proposedAt: Instant

  /// The longest reason, in Unicode scalars.
  package static let longestReason = 400

  package init(
    key: SettingKey, oldValue: String?, value: Int, reason: String, expectedPoints: Double,
    proposedAt: Instant
  ) {
    self.key = key
    self.oldValue = oldValue
    self.value = value
    self.reason = reason
    self.expectedPoints = expectedPoints
    self.proposedAt = proposedAt
  }

  /// The points of `+5 points`, `-0.5 points` or `1 point`; nil for any other text.
  ///
  /// At most 100 either way, and not 0.
  package static func points(parsing text: String) -> Double? {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1] == "points" || words[1] == "point",
      words[0].utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }),
      let points = Double(words[0]), points != 0, abs(points) <= 100
    else { return nil }
    return points
  }

  /// The change that put the proposal in force: the first one to its value since; nil before it.
  ///
  /// The changes may come in any order.
  package func beginning(in changes: [SettingChange]) -> SettingChange? {
    changes.filter { isOfKey($0) && $0.newValue == String(value) }
      .min { $0.changedAt < $1.changedAt }
  }

  /// The first change of the setting after `beginning`; nil while the proposal is in force.
  package func end(after beginning: SettingChange, in changes: [SettingChange]) -> SettingChange? {
    changes.filter { isOfKey($0) && $0.changedAt > beginning.changedAt }
      .min { $0.changedAt < $1.changedAt }
  }

  private func isOfKey(_ change: SettingChange) -> Bool {
    change.changedAt >= proposedAt && SettingKey(wireName: change.wireName) == key
  }
}

/// What the people before and after a change say of its expectation: docs/proposals.md#watch.
package enum ProposalVerdict: Hashable, Sendable {
  /// Fewer days than a judgement takes.
  case tooEarly
  /// It harms: go back to the value before.
  case revert
  /// The gain is real; or, where a loss was expected, it is smaller than that.
  case keep
  /// Not yet; by then there are enough people, if they keep coming as they did.
  case enough(days: Int)
  /// The longest time is too short for so few people; each side would need about this number.
  case tooFewPeople(needed: Int)
  /// There were enough people for the expected effect, and it does not show.
  case notProven

  /// Days of each side that a verdict takes: a whole week, as docs/findings.md#effects has it.
  package static let fewestDays = 7

  /// Nil where a side has nobody.
  ///
  /// Of all people of a side, a part tapped to subscribe. `expected` are points, not 0.
  package init?(
    before: (part: Int, whole: Int), after: (part: Int, whole: Int), days: Int, longest: Int,
    expected: Double
  ) {
    guard let range = Statistics.difference(from: before, to: after) else { return nil }
    let loss = min(0, expected / 100)
    let needed = Statistics.peopleNeeded(
      share: Double(before.part) / Double(before.whole), difference: expected / 100)
    self = .waiting(
      needed: needed, people: min(before.whole, after.whole), days: days, longest: longest)
    if range.upper < loss { self = .revert }
    if range.lower > loss { self = .keep }
    if days < Self.fewestDays { self = .tooEarly }
  }

  /// The sentence while the range holds 0, or the loss.
  private static func waiting(
    needed: Int, people: Int, days: Int, longest: Int
  ) -> ProposalVerdict {
    guard people < needed else { return .notProven }
    let enough = (Double(days) * Double(needed) / Double(people)).rounded(.up)
    return enough > Double(longest) ? .tooFewPeople(needed: needed) : .enough(days: Int(enough))
  }
}
