import Model

/// Follows people from the subscription button to their first event as subscribers, in time's
/// order.
///
/// A person counts as subscribed once, however often they tap again, and not at all when they were
/// a subscriber before their first tap.
struct SubscriptionCount {
  private struct Place: Hashable {
    let feature: Feature
    let isAtLimit: Bool
  }

  private struct Tally {
    var taps = 0
    var people: Set<Int> = []
    var subscribed = 0
  }

  /// Where the period begins; taps before it are not counted.
  private let start: Int64
  /// Where a person who is no subscriber yet tapped last in the period.
  private var tapped: [Int: Place] = [:]
  /// Whether the person was seen as a subscriber, by the number of the user.
  private var isSubscriber: [Bool] = []
  private var tallies: [Place: Tally] = [:]

  init(from start: Int64) {
    self.start = start
  }

  /// `isAtLimit` says whether the attempt that the event belongs to was blocked.
  mutating func add(
    _ user: Int, _ event: UsageCount.Meaning, isAtLimit: Bool, at microseconds: Int64
  ) {
    while isSubscriber.count <= user { isSubscriber.append(false) }
    if event.userType == .liteSubscriber, !isSubscriber[user] {
      isSubscriber[user] = true
      if let place = tapped.removeValue(forKey: user) {
        tallies[place, default: Tally()].subscribed += 1
      }
    }
    guard event.kind == .subscriptionButtonTapped, microseconds >= start else { return }
    let place = Place(feature: event.feature, isAtLimit: isAtLimit)
    tallies[place, default: Tally()].taps += 1
    tallies[place, default: Tally()].people.insert(user)
    if !isSubscriber[user] { tapped[user] = place }
  }

  /// By feature and then those with uses left first.
  var found: [UsageData.Subscriptions] {
    Feature.allCases.flatMap { feature in
      [false, true].compactMap { isAtLimit in
        tallies[Place(feature: feature, isAtLimit: isAtLimit)].map {
          UsageData.Subscriptions(
            feature: feature, isAtLimit: isAtLimit, taps: $0.taps, subscribed: $0.subscribed,
            people: $0.people.count)
        }
      }
    }
  }
}
