import Model

/// Follows each person through the events of a stretch of time, in time's order.
struct PeopleCount {
  struct Flags: OptionSet {
    let rawValue: UInt16
    /// Of the period, as a free user.
    static let active = Flags(rawValue: 1)
    static let popup = Flags(rawValue: 2)
    static let blocked = Flags(rawValue: 4)
    /// Tapped the subscription button, and did so at or after a block.
    static let tappedAtAll = Flags(rawValue: 8)
    static let tapped = Flags(rawValue: 16)
    /// Was seen as subscriber for the first time at or after such a tap.
    static let subscribed = Flags(rawValue: 32)
    static let newSubscriber = Flags(rawValue: 64)
    /// At any time of the stretch.
    static let seenFree = Flags(rawValue: 128)
    static let seenSubscriber = Flags(rawValue: 256)
    /// Seen before the first day that `days` has a bit for.
    static let seenEarlier = Flags(rawValue: 512)
  }

  struct Person {
    var flags: Flags = []
    /// A bit for each civil day with an event, the lowest for the first day.
    var days: UInt128 = 0
    /// In microseconds, within the period and as a free user; `.max` for none.
    var firstTap = Int64.max
    var secondTap = Int64.max
    var firstBlock = Int64.max
  }

  /// What an event means for its person.
  struct Use {
    let at: Int64
    let kind: EventKind
    /// Nil when the event does not say.
    let userType: UserType?
  }

  private let period: Range<Int64>
  private(set) var people: [Person] = []
  /// Whether any event of the period says who is free.
  private(set) var knowsUserTypes = false

  init(period: Range<Int64>) {
    self.period = period
  }

  /// Counts an event; returns whether it is the person's first of the period as a free user.
  ///
  /// `day` is the place of the event's civil day; nil for an earlier one.
  mutating func add(_ use: Use, of person: Int, day: Int?) -> Bool {
    if person == people.count { people.append(Person()) }
    if let day {
      people[person].days |= 1 << UInt128(day)
    } else {
      people[person].flags.insert(.seenEarlier)
    }
    let isInPeriod = isInPeriod(use)
    if isInPeriod, use.userType != nil { knowsUserTypes = true }
    switch use.userType {
    case .liteSubscriber: subscribe(person, isInPeriod: isInPeriod)
    case .freeUser, .newUser: people[person].flags.insert(.seenFree)
    case nil: break
    }
    guard isInPeriod, use.userType == .freeUser else { return false }
    let isFirst = !people[person].flags.contains(.active)
    people[person].flags.insert(.active)
    follow(use, of: person)
    return isFirst
  }

  func isInPeriod(_ use: Use) -> Bool { period.contains(use.at) }

  private mutating func subscribe(_ person: Int, isInPeriod: Bool) {
    let flags = people[person].flags
    people[person].flags.insert(.seenSubscriber)
    guard isInPeriod, flags.contains(.seenFree), !flags.contains(.seenSubscriber) else { return }
    people[person].flags.insert(.newSubscriber)
    if flags.contains(.tapped) { people[person].flags.insert(.subscribed) }
  }

  private mutating func follow(_ use: Use, of person: Int) {
    switch use.kind {
    case .buttonTapped:
      if people[person].firstTap == .max {
        people[person].firstTap = use.at
      } else if people[person].secondTap == .max {
        people[person].secondTap = use.at
      }
    case .popupShown: people[person].flags.insert(.popup)
    case .blockedLimitReached, .blockedCooldown:
      if people[person].firstBlock == .max { people[person].firstBlock = use.at }
      people[person].flags.insert(.blocked)
    case .subscriptionButtonTapped:
      people[person].flags.insert(.tappedAtAll)
      if people[person].flags.contains(.blocked) { people[person].flags.insert(.tapped) }
    default: break
    }
  }
}

/// The figures, after all events.
extension PeopleCount {
  /// How far some of the people went; of all for nil.
  func stages(of chosen: Set<Int>? = nil) -> PeopleData.Stages {
    var stages = PeopleData.Stages()
    func add(_ flags: Flags) {
      guard flags.contains(.active) else { return }
      stages.active += 1
      guard flags.contains(.popup) else { return }
      stages.popup += 1
      guard flags.contains(.blocked) else { return }
      stages.blocked += 1
      guard flags.contains(.tapped) else { return }
      stages.tapped += 1
      if flags.contains(.subscribed) { stages.subscribed += 1 }
    }
    if let chosen {
      for person in chosen { add(people[person].flags) }
    } else {
      for person in people { add(person.flags) }
    }
    return stages
  }

  /// What needs no parameters of events.
  func data() -> PeopleData {
    var data = PeopleData(stages: stages(), knowsUserTypes: knowsUserTypes)
    for person in people {
      if person.flags.contains(.newSubscriber) { data.newSubscribers += 1 }
      if person.flags.contains(.tappedAtAll) { data.tappedAtAll += 1 }
      guard person.firstBlock != .max, person.firstTap <= person.firstBlock else { continue }
      if person.firstBlock < person.secondTap {
        data.blockedAtFirstTap += 1
      } else {
        data.blockDelays.append(Int((person.firstBlock - person.firstTap) / 1_000_000))
      }
    }
    data.blockDelays.sort()
    return data
  }
}
