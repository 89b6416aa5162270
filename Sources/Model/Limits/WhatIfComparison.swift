/// What one feature's attempts lead to under one of the compared settings.
package struct WhatIfFigures: Hashable, Sendable {
  package var performed = 0
  package var blocked = 0
  package var popups = 0
  package var subscriptionTapsKept = 0
  package var subscriptionTapsLost = 0
  /// People who were blocked at least once.
  package var usersBlocked = 0
  /// People with an attempt that the first settings decide the other way; 0 for those settings.
  package var usersAffected = 0
}

/// What is the same under all compared settings.
package struct WhatIfTotals: Hashable, Sendable {
  package var attempts = 0
  package var users = 0
  package var subscriptionTaps = 0
  /// Taps on the subscription button with no attempt before them, which `subscriptionTaps`
  /// excludes.
  package var tapsWithoutAttempt = 0
  /// Attempts that do not say whose they are, which `attempts` excludes.
  package var unknownAttempts = 0
}

/// Decides the same attempts under several settings, side by side; docs/replay.md#what-if.
///
/// The first settings are those in force, with which the others are compared.
package struct WhatIfComparison: Sendable {
  /// What is remembered of a user's feature under one of the settings.
  fileprivate struct UserFlags: OptionSet {
    let rawValue: UInt8
    static let attempted = UserFlags(rawValue: 1)
    /// The last attempt showed the popup.
    static let popup = UserFlags(rawValue: 2)
    static let affected = UserFlags(rawValue: 4)
    /// Had an attempt before the counting began.
    static let earlier = UserFlags(rawValue: 8)
    static let blocked = UserFlags(rawValue: 16)
  }

  fileprivate struct Side {
    var replay: LimitReplay
    /// By user and feature.
    var flags: [UserFlags] = []
    var figures = [WhatIfFigures](repeating: WhatIfFigures(), count: featuresCount)
  }

  private static let featuresCount = Feature.allCases.count

  private var sides: [Side]
  private var totals = [WhatIfTotals](repeating: WhatIfTotals(), count: featuresCount)

  package init(_ settings: [Settings]) {
    sides = settings.map { Side(replay: LimitReplay(settings: $0)) }
  }

  package mutating func decide(_ attempt: LimitAttempt, of user: Int) {
    let feature = attempt.feature.position
    let position = user * Self.featuresCount + feature
    totals[feature].attempts += 1
    var inForce = true
    for index in sides.indices {
      let result = sides[index].replay.decide(attempt, of: user)
      if index == 0 { inForce = result.canProceed }
      sides[index].record(result, feature, at: position, isAffected: result.canProceed != inForce)
    }
  }

  /// Forgets what was counted so far and keeps the states, so that the attempts that follow meet
  /// people as they were.
  package mutating func beginCounting() {
    totals = [WhatIfTotals](repeating: WhatIfTotals(), count: Self.featuresCount)
    for index in sides.indices { sides[index].beginCounting() }
  }

  /// Counts an attempt of nobody knows whom, which cannot be decided.
  package mutating func leaveOut(_ feature: Feature) {
    totals[feature.position].unknownAttempts += 1
  }

  package mutating func reset(_ feature: Feature, of user: Int) {
    for index in sides.indices { sides[index].replay.reset(feature, of: user) }
  }

  /// Counts a tap on the subscription button as part of the user's last attempt at the feature.
  package mutating func tapSubscription(_ feature: Feature, of user: Int) {
    let position = user * Self.featuresCount + feature.position
    guard let first = sides.first, position < first.flags.count,
      !first.flags[position].isDisjoint(with: [.attempted, .earlier])
    else { return totals[feature.position].tapsWithoutAttempt += 1 }
    totals[feature.position].subscriptionTaps += 1
    for index in sides.indices {
      if sides[index].flags[position].contains(.popup) {
        sides[index].figures[feature.position].subscriptionTapsKept += 1
      } else {
        sides[index].figures[feature.position].subscriptionTapsLost += 1
      }
    }
  }
}

extension WhatIfComparison.Side {
  fileprivate mutating func beginCounting() {
    figures = [WhatIfFigures](repeating: WhatIfFigures(), count: figures.count)
    flags = flags.map { flag in
      flag.contains(.attempted) ? flag.intersection(.popup).union(.earlier) : []
    }
  }

  fileprivate mutating func record(
    _ result: LimitResult, _ feature: Int, at position: Int, isAffected: Bool
  ) {
    if position >= flags.count {
      flags.append(contentsOf: repeatElement([], count: position + 1 - flags.count))
    }
    if result.events.last == .performed { figures[feature].performed += 1 }
    if !result.canProceed { figures[feature].blocked += 1 }
    if result.showPopup { figures[feature].popups += 1 }
    var flag = flags[position].intersection([.affected, .blocked, .earlier])
    flag.insert(.attempted)
    if result.showPopup { flag.insert(.popup) }
    if !result.canProceed { flag.insert(.blocked) }
    if isAffected { flag.insert(.affected) }
    flags[position] = flag
  }
}

extension WhatIfComparison {
  /// The features with attempts, also of unknown people, or subscription taps.
  package var features: [Feature] {
    Feature.allCases.filter { feature in
      let totals = totals[feature.position]
      return totals.attempts + totals.tapsWithoutAttempt + totals.unknownAttempts > 0
    }
  }

  /// The totals of one feature, or of all; a user of several features counts once in the latter.
  package func totals(of feature: Feature?) -> WhatIfTotals {
    totals(of: feature.map { [$0] } ?? Feature.allCases)
  }

  /// The totals of some features; a user of several of them counts once.
  package func totals(of features: [Feature]) -> WhatIfTotals {
    var sum = WhatIfTotals()
    for feature in features {
      let totals = totals[feature.position]
      sum.attempts += totals.attempts
      sum.subscriptionTaps += totals.subscriptionTaps
      sum.tapsWithoutAttempt += totals.tapsWithoutAttempt
      sum.unknownAttempts += totals.unknownAttempts
    }
    sum.users = sides.first.map { users($0, .attempted, of: features) } ?? 0
    return sum
  }

  /// The figures under the settings at `index` of `init`; of one feature, or of all.
  package func figures(_ index: Int, of feature: Feature?) -> WhatIfFigures {
    var sum = WhatIfFigures()
    for feature in feature.map({ [$0] }) ?? Feature.allCases {
      let figures = sides[index].figures[feature.position]
      sum.performed += figures.performed
      sum.blocked += figures.blocked
      sum.popups += figures.popups
      sum.subscriptionTapsKept += figures.subscriptionTapsKept
      sum.subscriptionTapsLost += figures.subscriptionTapsLost
    }
    let features = feature.map { [$0] } ?? Feature.allCases
    sum.usersBlocked = users(sides[index], .blocked, of: features)
    sum.usersAffected = users(sides[index], .affected, of: features)
    return sum
  }

  private func users(_ side: Side, _ flag: UserFlags, of features: [Feature]) -> Int {
    stride(from: 0, to: side.flags.count, by: Self.featuresCount).count { first in
      features.contains { feature in
        let position = first + feature.position
        return position < side.flags.count && side.flags[position].contains(flag)
      }
    }
  }
}
