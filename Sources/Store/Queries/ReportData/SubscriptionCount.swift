import Model

/// Follows people from the subscription button to their first event as subscribers, in time's
/// order.
///
/// Only people who tapped the button are remembered.
struct SubscriptionCount {
  private struct Place: Hashable {
    let feature: Feature
    let isAtLimit: Bool
  }

  private struct Tally {
    var taps = 0
    var subscribed = 0
  }

  /// Where the period begins; what comes before it is followed and not counted.
  private let start: Int64
  /// Where a person tapped last; nobody stays in it as a subscriber.
  private var tapped: [Int: Place] = [:]
  private var tallies: [Place: Tally] = [:]

  init(from start: Int64) {
    self.start = start
  }

  /// `isAtLimit` says whether the attempt that the event belongs to was blocked.
  mutating func add(
    _ user: Int, _ event: UsageCount.Meaning, isAtLimit: Bool, at microseconds: Int64
  ) {
    if event.kind == .subscriptionButtonTapped {
      let place = Place(feature: event.feature, isAtLimit: isAtLimit)
      tapped[user] = place
      if microseconds >= start { tallies[place, default: Tally()].taps += 1 }
    }
    guard event.userType == .liteSubscriber, !tapped.isEmpty,
      let place = tapped.removeValue(forKey: user), microseconds >= start
    else { return }
    tallies[place, default: Tally()].subscribed += 1
  }

  /// By feature and then those with uses left first.
  var found: [UsageData.Subscriptions] {
    Feature.allCases.flatMap { feature in
      [false, true].compactMap { isAtLimit in
        tallies[Place(feature: feature, isAtLimit: isAtLimit)].map {
          UsageData.Subscriptions(
            feature: feature, isAtLimit: isAtLimit, taps: $0.taps, subscribed: $0.subscribed)
        }
      }
    }
  }
}
