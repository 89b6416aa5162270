import GRDB
import Model

/// Counts the events of civil days, a day at a time, into rows of the fact tables: docs/counts.md.
struct FactCounter {
  /// Which platform's people and popups are counted; nil for all.
  ///
  /// Hours are of all platforms.
  let platform: String?
  private let ids: StringInterner
  private let events: RawStatement
  private let details: DetailReader
  private let dismissals: DismissalReader
  private let lines: ImportLines
  private let rows: FactInsertion
  private var buckets = BucketCounter()
  private var people: PersonDays
  private var popups = PopupDay()
  private var day: Int64 = 0

  /// New people get their numbers from `ids`; rows go where `rows` leads.
  init(_ reader: Reader, _ ids: StringInterner, platform: String?, into rows: FactInsertion) throws
  {
    self.ids = ids
    self.platform = platform
    self.rows = rows
    events = try RawStatement(reader.database, sql: LedgerPass.eventsQuery)
    details = try DetailReader(reader)
    dismissals = try DismissalReader(reader)
    lines = try ImportLines(reader, readsKept: false)
    people = try PersonDays(reader)
  }

  /// Counts a day that has no counts.
  ///
  /// Its first instant lies on a quarter of an hour.
  ///
  /// - Throws: `UnreadableCell`, or `DatabaseError`.
  mutating func count(_ day: Range<Int64>) throws {
    begin(day)
    let only = platform.map { Array($0.utf8) }
    events.rewind()
    defer { events.reset() }
    try events.bind(day.lowerBound, at: 1)
    try events.bind(day.upperBound, at: 2)
    while try events.step() {
      let (at, id) = (events.integer(column: 0), events.integer(column: 5))
      let platform = events.text(column: 6)
      let key = try buckets.key(
        events.text(column: 1), events.text(column: 2), events.text(column: 3), platform)
      buckets.add(at: at, key, in: .other)
      if let only, !platform.elementsEqual(only) { continue }
      let user = events.text(column: 4)
      let person = user.isEmpty ? nil : ids.number(of: user)
      if key.kind.isSingle { try rows.addSingle(day.lowerBound, id, at: at, key) }
      try popups.add(
        PopupDay.Step(
          id: id, kind: key.kind, place: PopupDay.Place(person: person, feature: key.feature)),
        at: at, dismissals)
      if let person { try add(id, key, of: person, at: at) }
    }
    try finish(day)
  }

  private mutating func begin(_ day: Range<Int64>) {
    self.day = day.lowerBound
    people.removeAll()
    popups = PopupDay()
    buckets.begin(at: day.lowerBound, length: FactTables.hourLength(of: day))
    rows.begin()
  }

  private mutating func finish(_ day: Range<Int64>) throws {
    for bucket in buckets.takeBuckets() { try rows.add(bucket, of: day.lowerBound) }
    try popups.finish(dismissals)
    for popup in popups.popups {
      if let person = popup.place.person, popup.isQuietEnd {
        people[people.place(of: person)].flags.insert(.endsPopup(of: popup.place.feature))
      } else {
        try rows.add(popup, of: day.lowerBound)
      }
    }
    for (place, person) in people.people.enumerated() {
      try rows.add(person, at: place, of: day.lowerBound)
    }
    let hours = ImportLines.hours(of: day)
    for (hour, lines) in zip(hours, try lines.counts(between: hours + [day.upperBound])) {
      try rows.addImport(day.lowerBound, hour: hour, lines: lines)
    }
    try rows.addDay(day)
  }

  private mutating func add(
    _ id: Int64, _ key: BucketCounter.EventKey, of person: Int, at: Int64
  ) throws {
    let place = try people.place(of: person, event: id, key, at: at)
    let use = PeopleCount.Use(at: at, kind: key.kind, userType: key.userType)
    let isFirstFree = key.userType == .freeUser && !people[place].flags.contains(.free)
    let isFirstSubscriber =
      key.userType == .liteSubscriber && !people[place].flags.contains(.subscriber)
    if people[place].add(use, key.feature) {
      try rows.addAttempt(
        day, of: person, at: at,
        isUse: key.kind == .performed && UserType.canBeBlocked(key.userType))
    }
    if key.kind.isBlocked, UserType.canBeBlocked(key.userType) {
      try rows.addBlock(day, of: person, at: at, key.feature)
    }
    let isTold = PeoplePass.tellsDetails(key)
    guard isTold || isFirstFree || isFirstSubscriber else { return }
    let detail = try details.detail(of: id, person, key, at: at)
    func name(_ country: WritableKeyPath<PersonDay, String>) {
      guard people[place][keyPath: country].isEmpty else { return }
      people[place][keyPath: country] = detail.country
    }
    if isTold || isFirstFree { name(\.activeCountry) }
    if isTold || isFirstSubscriber { name(\.subscriberCountry) }
    guard isTold else { return }
    name(\.toldCountry)
    try rows.add(detail, of: day)
  }
}

extension EventKind {
  /// Whether queries read the event for themselves.
  var isSingle: Bool {
    switch self {
    case .popupDismissed, .pricingDisplayed, .limitReset, .clockSkew: true
    default: false
    }
  }
}
