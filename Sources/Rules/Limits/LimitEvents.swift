package import Model

/// The events of one decision as a set; their order is always the same.
package struct LimitEvents: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let clockSkew = LimitEvents(rawValue: 1 << 0)
  package static let limitReset = LimitEvents(rawValue: 1 << 1)
  package static let cooldownCompleted = LimitEvents(rawValue: 1 << 2)
  package static let liteSubscriberBypass = LimitEvents(rawValue: 1 << 3)
  package static let newUserBypass = LimitEvents(rawValue: 1 << 4)
  package static let popupShown = LimitEvents(rawValue: 1 << 5)
  package static let blockedLimitReached = LimitEvents(rawValue: 1 << 6)
  package static let blockedCooldown = LimitEvents(rawValue: 1 << 7)
  package static let performed = LimitEvents(rawValue: 1 << 8)

  /// The kind of each bit, lowest first: the order in which a decision emits them.
  private static let order: [EventKind] = [
    .clockSkew, .limitReset, .cooldownCompleted, .liteSubscriberBypass, .newUserBypass,
    .popupShown, .blockedLimitReached, .blockedCooldown, .performed,
  ]

  /// How many sets there are: raw values are below it.
  package static let setsCount = 1 << order.count

  /// In the order in which they happen; docs/rules.md#cooldowns.
  package var kinds: [EventKind] {
    Self.order.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
  }
}
