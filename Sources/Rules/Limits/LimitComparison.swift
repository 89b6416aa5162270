package import Model

/// The same attempts under several settings side by side; docs/rules.md#what-if.
///
/// The first settings are the ones in force, which the others are held against.
package struct LimitComparison: Sendable {
  /// What one feature's attempts come to under one of the settings.
  package struct Figures: Hashable, Sendable {
    package var performed = 0
    package var blocked = 0
    package var popups = 0
    package var subscriptionTapsKept = 0
    package var subscriptionTapsLost = 0
    package var usersAffected = 0

    package init() {}
  }

  /// What is the same under all settings.
  package struct Totals: Hashable, Sendable {
    package var attempts = 0
    package var users = 0
    package var subscriptionTaps = 0
    /// Taps on the subscription button with no attempt before them; not among the others.
    package var tapsWithoutAttempt = 0

    package init() {}
  }

  /// What is remembered of a user's feature under one of the settings.
  fileprivate struct Mark: OptionSet {
    let rawValue: UInt8
    static let attempted = Mark(rawValue: 1)
    /// The last attempt showed the popup.
    static let popup = Mark(rawValue: 2)
    static let affected = Mark(rawValue: 4)
  }

  fileprivate struct Side {
    var replay: LimitReplay
    /// By user and feature.
    var marks: [Mark] = []
    var figures = [Figures](repeating: Figures(), count: featuresCount)
  }

  private static let featuresCount = Feature.allCases.count

  private var sides: [Side]
  private var totals = [Totals](repeating: Totals(), count: featuresCount)

  package init(_ settings: [Settings]) {
    sides = settings.map { Side(replay: LimitReplay(settings: $0)) }
  }

  package mutating func decide(_ attempt: LimitAttempt, of user: Int) {
    let feature = attempt.feature.position
    let position = user * Self.featuresCount + feature
    totals[feature].attempts += 1
    var inForce = true
    for index in sides.indices {
      let outcome = sides[index].replay.decide(attempt, of: user)
      if index == 0 { inForce = outcome.canProceed }
      // Nothing but a block can affect anybody under the settings in force themselves.
      let isAffected = index == 0 ? !outcome.canProceed : outcome.canProceed != inForce
      sides[index].record(outcome, feature, at: position, isAffected: isAffected)
    }
  }

  package mutating func reset(_ feature: Feature, of user: Int) {
    for index in sides.indices { sides[index].replay.reset(feature, of: user) }
  }

  /// Takes a tap on the subscription button for one of the user's last attempt at the feature.
  package mutating func tapSubscription(_ feature: Feature, of user: Int) {
    let position = user * Self.featuresCount + feature.position
    guard let first = sides.first, position < first.marks.count,
      first.marks[position].contains(.attempted)
    else { return totals[feature.position].tapsWithoutAttempt += 1 }
    totals[feature.position].subscriptionTaps += 1
    for index in sides.indices {
      if sides[index].marks[position].contains(.popup) {
        sides[index].figures[feature.position].subscriptionTapsKept += 1
      } else {
        sides[index].figures[feature.position].subscriptionTapsLost += 1
      }
    }
  }
}

extension LimitComparison.Side {
  fileprivate mutating func record(
    _ outcome: LimitOutcome, _ feature: Int, at position: Int, isAffected: Bool
  ) {
    if position >= marks.count {
      marks.append(contentsOf: repeatElement([], count: position + 1 - marks.count))
    }
    if outcome.events.contains(.performed) { figures[feature].performed += 1 }
    if !outcome.canProceed { figures[feature].blocked += 1 }
    if outcome.showPopup { figures[feature].popups += 1 }
    var mark = marks[position].intersection(.affected)
    mark.insert(.attempted)
    if outcome.showPopup { mark.insert(.popup) }
    if isAffected { mark.insert(.affected) }
    marks[position] = mark
  }
}

/// The answers, once all attempts were decided.
extension LimitComparison {
  /// The features with attempts or taps on their subscription buttons.
  package var features: [Feature] {
    Feature.allCases.filter { feature in
      let totals = totals[feature.position]
      return totals.attempts > 0 || totals.tapsWithoutAttempt > 0
    }
  }

  /// Of one feature, or of all together; users of several features count once there.
  package func totals(of feature: Feature?) -> Totals {
    var sum = Totals()
    for feature in feature.map({ [$0] }) ?? Feature.allCases {
      let totals = totals[feature.position]
      sum.attempts += totals.attempts
      sum.subscriptionTaps += totals.subscriptionTaps
      sum.tapsWithoutAttempt += totals.tapsWithoutAttempt
    }
    sum.users = sides.first.map { users($0, .attempted, of: feature) } ?? 0
    return sum
  }

  /// The figures under the settings at `index` of those given to `init`.
  package func figures(_ index: Int, of feature: Feature?) -> Figures {
    var sum = Figures()
    for feature in feature.map({ [$0] }) ?? Feature.allCases {
      let figures = sides[index].figures[feature.position]
      sum.performed += figures.performed
      sum.blocked += figures.blocked
      sum.popups += figures.popups
      sum.subscriptionTapsKept += figures.subscriptionTapsKept
      sum.subscriptionTapsLost += figures.subscriptionTapsLost
    }
    sum.usersAffected = users(sides[index], .affected, of: feature)
    return sum
  }

  private func users(_ side: Side, _ mark: Mark, of feature: Feature?) -> Int {
    let count = Self.featuresCount
    return stride(from: 0, to: side.marks.count, by: count).count { first in
      guard let feature else {
        return side.marks[first..<min(first + count, side.marks.count)].contains {
          $0.contains(mark)
        }
      }
      let position = first + feature.position
      return position < side.marks.count && side.marks[position].contains(mark)
    }
  }
}
