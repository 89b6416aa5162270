/// What the store knows of the events of a period, for the usage report.
package struct UsageFacts: Sendable {
  /// Events of one kind in one quarter of an hour.
  ///
  /// A quarter is the largest step that every time zone's days and hours are made of.
  package struct Bucket: Hashable, Sendable {
    /// Unix seconds of the quarter's start.
    package var startsAtSeconds: Int64
    package var feature: Feature
    package var kind: EventKind
    /// Nil when the event does not say.
    package var userType: UserType?
    package var count: Int

    package init(
      startsAtSeconds: Int64, feature: Feature, kind: EventKind, userType: UserType?, count: Int
    ) {
      self.startsAtSeconds = startsAtSeconds
      self.feature = feature
      self.kind = kind
      self.userType = userType
      self.count = count
    }
  }

  package struct HeavyUser: Hashable, Sendable {
    package var userId: String
    /// From `OnlineUsers`; nil when the user is not there.
    package var name: String?
    package var taps: Int
    package var performed: Int
    package var blocked: Int

    package init(userId: String, name: String?, taps: Int, performed: Int, blocked: Int) {
      self.userId = userId
      self.name = name
      self.taps = taps
      self.performed = performed
      self.blocked = blocked
    }
  }

  /// What subscription taps of one kind of popup came to.
  package struct Subscriptions: Hashable, Sendable {
    package var feature: Feature
    /// Whether the attempt before the tap had been blocked.
    package var isAtLimit: Bool
    /// Taps on the subscription button by people that the event names.
    package var taps: Int
    /// People seen as subscribers afterwards, each once, by their last tap before that.
    package var subscribed: Int

    package init(feature: Feature, isAtLimit: Bool, taps: Int, subscribed: Int) {
      self.feature = feature
      self.isAtLimit = isAtLimit
      self.taps = taps
      self.subscribed = subscribed
    }
  }

  /// Covers the period and the one before it, ordered by time.
  package var buckets: [Bucket]
  /// Distinct users with a feature event in the period, and in the one before.
  package var activeUsers: Int
  package var previousActiveUsers: Int
  /// By taps, most first; at most as many as asked for.
  package var heaviestUsers: [HeavyUser]
  /// The newest event of the ledger; nil when it is empty.
  package var newestEventAt: Instant?
  /// Of the period, by feature and then those with uses left first; none without a tap.
  ///
  /// A person counts as subscribed in the period of the first event that says so, when the tap was
  /// in it or in the one before.
  package var subscriptions: [Subscriptions]

  package init(
    buckets: [Bucket], activeUsers: Int, previousActiveUsers: Int, heaviestUsers: [HeavyUser],
    newestEventAt: Instant?, subscriptions: [Subscriptions] = []
  ) {
    self.buckets = buckets
    self.activeUsers = activeUsers
    self.previousActiveUsers = previousActiveUsers
    self.heaviestUsers = heaviestUsers
    self.newestEventAt = newestEventAt
    self.subscriptions = subscriptions
  }
}
