import Model

/// What one person did on one civil day, so that the days after it need none of its events:
/// docs/counts.md#people.
struct PersonDay {
  struct Flags: OptionSet {
    let rawValue: UInt32
    /// Has an event as a free user, as a free or new user, and as a subscriber.
    static let free = Flags(rawValue: 1)
    static let unsubscribed = Flags(rawValue: 2)
    static let subscriber = Flags(rawValue: 4)
    /// Was free or new before the first event as a subscriber.
    static let unsubscribedFirst = Flags(rawValue: 8)
    /// As a free user: saw a popup, was blocked, tapped the subscription button.
    static let popup = Flags(rawValue: 16)
    static let freeBlocked = Flags(rawValue: 32)
    static let subscriptionTap = Flags(rawValue: 64)
    /// Such a tap came at or after such a block of the day.
    static let tapAfterBlock = Flags(rawValue: 128)
    /// The last two, before the first event as a subscriber.
    static let tapBeforeSubscriber = Flags(rawValue: 256)
    static let tapAfterBlockBeforeSubscriber = Flags(rawValue: 512)
    /// Was blocked as anybody.
    static let blocked = Flags(rawValue: 1024)
    /// `returnedAt` is a success.
    static let returnIsUse = Flags(rawValue: 2048)
    /// Was free before the first event as a subscriber.
    static let freeFirst = Flags(rawValue: 4096)

    /// The day says nothing of how a popup of the feature ended that the day before left open, but
    /// that it has ended.
    static func endsPopup(of feature: Feature) -> Flags {
      Flags(rawValue: 1 << (16 + UInt32(feature.position)))
    }
  }

  /// Whether a block, or the first success of a day, waits for the next return.
  enum Awaiting: Equatable {
    /// As on the evening before.
    case asBefore
    case none
    /// In microseconds.
    case since(Int64)
  }

  let person: Int
  let platform: String
  /// Of the first event, which may name none.
  var country = ""
  var version = ""
  /// The first country named by an event whose parameters are read, and the same with the first
  /// event as a free user, or as a subscriber; empty for none.
  var toldCountry = ""
  var activeCountry = ""
  var subscriberCountry = ""
  var events = 0
  /// Times are in microseconds, as in `PeopleCount.Person`.
  let firstAt: Int64
  var flags: Flags = []
  var newestType: UserType?
  var newUntil: Int64?
  var freeFrom: Int64?
  var subscriberFrom: Int64?
  var taps = 0
  var freeTaps = 0
  var performed = 0
  var freeBlocked = 0
  var firstTap: Int64?
  var secondTap: Int64?
  var firstBlock: Int64?
  var lastAttempt: Int64?
  /// The first attempt of the day, which is a return when the one before it is long ago.
  var attemptedAt: Int64?
  /// The first return of the day that is not one by the day alone; it counts when one is awaited.
  var returnedAt: Int64?
  var awaiting = Awaiting.asBefore
  /// By the position of the feature.
  var featureTaps = SIMD8<UInt32>.zero
  var featurePerformed = SIMD8<UInt32>.zero
  private var hasUsed = false

  init(person: Int, platform: String, firstAt: Int64) {
    self.person = person
    self.platform = platform
    self.firstAt = firstAt
  }

  /// Counts an event.
  ///
  /// - Precondition: no event before came later.
  /// - Returns: whether it is an attempt that counts, whatever came on the days before.
  mutating func add(_ use: PeopleCount.Use, _ feature: Feature) -> Bool {
    events += 1
    count(use, feature)
    note(use)
    if use.userType == .freeUser { follow(use) }
    return addAttempt(use)
  }

  private mutating func count(_ use: PeopleCount.Use, _ feature: Feature) {
    let canBeBlocked = UserType.canBeBlocked(use.userType)
    if use.kind.isBlocked {
      flags.insert(.blocked)
      if canBeBlocked { freeBlocked += 1 }
    }
    switch use.kind {
    case .buttonTapped:
      taps += 1
      featureTaps[feature.position] += 1
      if canBeBlocked { freeTaps += 1 }
    case .performed:
      performed += 1
      featurePerformed[feature.position] += 1
    default: break
    }
  }

  /// What the person was called.
  private mutating func note(_ use: PeopleCount.Use) {
    guard let type = use.userType else { return }
    newestType = type
    switch type {
    case .liteSubscriber:
      guard flags.insert(.subscriber).inserted else { return }
      subscriberFrom = use.at
      if flags.contains(.unsubscribed) { flags.insert(.unsubscribedFirst) }
      if flags.contains(.free) { flags.insert(.freeFirst) }
      if flags.contains(.subscriptionTap) { flags.insert(.tapBeforeSubscriber) }
      if flags.contains(.tapAfterBlock) { flags.insert(.tapAfterBlockBeforeSubscriber) }
    case .newUser:
      flags.insert(.unsubscribed)
      newUntil = use.at
    case .freeUser:
      flags.formUnion([.unsubscribed, .free])
      freeFrom = freeFrom ?? use.at
    }
  }

  private mutating func follow(_ use: PeopleCount.Use) {
    switch use.kind {
    case .buttonTapped:
      if firstTap == nil {
        firstTap = use.at
      } else if secondTap == nil {
        secondTap = use.at
      }
    case .popupShown: flags.insert(.popup)
    case .blockedLimitReached, .blockedCooldown:
      firstBlock = firstBlock ?? use.at
      flags.insert(.freeBlocked)
    case .subscriptionButtonTapped:
      flags.insert(.subscriptionTap)
      if flags.contains(.freeBlocked) { flags.insert(.tapAfterBlock) }
    default: break
    }
  }

  /// Counts an attempt, as docs/relations.md#attempt has it.
  private mutating func addAttempt(_ use: PeopleCount.Use) -> Bool {
    guard use.isAttempt else { return false }
    let before = lastAttempt
    lastAttempt = use.at
    let canBeBlocked = UserType.canBeBlocked(use.userType)
    defer { if use.kind.isBlocked, canBeBlocked { awaiting = .since(use.at) } }
    guard use.kind == .performed || before != nil else {
      attemptedAt = use.at
      return false
    }
    let isLongAgo = before.map { PeopleCount.isPause(from: $0, to: use.at) } ?? true
    guard use.kind == .performed || isLongAgo else { return false }
    let isSuccess = use.kind == .performed && canBeBlocked
    if isSuccess, !hasUsed {
      hasUsed = true
      awaiting = .since(use.at)
      return true
    }
    switch awaiting {
    case .none: return false
    case .since(let start):
      // One of the same instant is not after it.
      if use.at > start { awaiting = .none }
      return true
    case .asBefore:
      awaiting = .none
      returnedAt = use.at
      if isSuccess { flags.insert(.returnIsUse) }
      return false
    }
  }
}
