import GRDB
import Model

/// The days whose counts stand for their events.
struct CountedDays {
  /// Civil days that follow each other, oldest first.
  let days: [Range<Int64>]
  /// Those whose counts are kept, by their first instants; the others' are in temporary tables.
  let kept: Set<Int64>

  func place(of day: Range<Int64>) -> FactTables.Place {
    kept.contains(day.lowerBound) ? .kept : .counted
  }
}

/// Reads a day's counts from where they lie.
private struct CountReader {
  let hours: RawStatement
  let people: RawStatement
  let popups: RawStatement
  let singles: RawStatement
  let details: [(relation: String, copy: RawStatement)]

  init(_ reader: Reader, _ place: FactTables.Place) throws {
    func statement(_ columns: String, _ table: FactTables.Name, _ order: String) throws
      -> RawStatement
    {
      try RawStatement(
        reader.database,
        sql: "SELECT \(columns) FROM \(place.name(of: table)) WHERE day = ?1 ORDER BY \(order)")
    }
    hours = try statement(
      "second, feature, kind, user_type, platform, events", .hour,
      "second, feature, kind, user_type, platform")
    people = try statement("*", .personDay, "place")
    popups = try statement(
      "person, feature, shown_at, performed_at, ended_at, ending, seconds", .popup, "place")
    singles = try RawStatement(
      reader.database,
      sql: """
        INSERT INTO temp.single_event SELECT id, kind, feature
        FROM \(place.name(of: .singleEvent)) WHERE day = ?1 AND at >= ?2 AND at < ?3
        """)
    details = try Self.copies.map { table, relation, selection in
      let copy = try RawStatement(
        reader.database,
        sql: """
          INSERT INTO temp.\(relation) SELECT \(selection) FROM \(place.name(of: table))
          WHERE day = ?1 AND \(Self.conditions[relation, default: "at >= ?2"]) AND at < ?3
            AND (NOT ?4 OR person IN (SELECT person FROM temp.sampled_person))
          \(Self.groupings[relation, default: ""])
          """)
      return (relation, copy)
    }
  }

  private static let isTap = "kind = 'subscription_button_tapped'"
  /// Of popups themselves, only those of the period are.
  private static let isFollowed = "(kind <> 'popup_shown' OR at >= ?2)"

  /// What of each table goes into which relation; ?2 and ?3 are the period.
  private static let copies: [(table: FactTables.Name, relation: String, selection: String)] = [
    (.offer, "offer", "person, at, feature, usage_limit, uses_left, \(isTap)"),
    (
      .offer, "price_shown",
      "person, at, feature, \(isTap), price, amount, currency, term, monthly"
    ),
    (
      .offer, "price_day",
      "person, day, \(isTap) AS is_tap, price, amount, currency, term, monthly, min(at), max(at)"
    ),
    (.offer, "subscription_tap", "person, at, feature"),
    (.block, "block", "person, at, feature"),
    (.attempt, "attempt", "person, at, is_use"),
    (
      .filterUse, "filter_use", "person, at, is_tap, segment, criteria, gender, country, results"
    ),
  ]

  private static let conditions = [
    "offer": "usage_limit IS NOT NULL AND at >= ?2",
    "price_shown": "(price IS NOT NULL OR \(isTap)) AND \(isFollowed)",
    "price_day": "price IS NOT NULL AND \(isFollowed)",
    "subscription_tap": "\(isTap) AND ?2 IS NOT NULL",
    "block": "?2 IS NOT NULL", "attempt": "?2 IS NOT NULL",
  ]

  private static let groupings = ["price_day": "GROUP BY person, is_tap, price"]
}

extension Reader {
  /// Counts the days whose counts are not kept, into temporary tables, and lists the people of a
  /// sample.
  ///
  /// New people get numbers from `ids`.
  func count(
    _ days: CountedDays, _ ids: StringInterner, on platform: String?, sample: EventSample
  ) throws {
    try makeCountedTables()
    var counter = try FactCounter(
      self, ids, platform: platform, into: FactInsertion(self, into: .counted))
    for day in days.days where !days.kept.contains(day.lowerBound) { try counter.count(day) }
    try database.execute(
      sql: """
        DROP TABLE IF EXISTS temp.sampled_person;
        CREATE TEMP TABLE sampled_person (person INTEGER PRIMARY KEY);
        """)
    guard sample.oneIn > 1 else { return }
    let insertion = try RawStatement(
      database, sql: "INSERT INTO temp.sampled_person VALUES (?1)")
    for person in 0..<ids.count where sample.holds(ids[person]) {
      try insertion.run(with: person)
    }
  }
}

extension LedgerPass {
  /// Reads the counts of days in the place of their events, and events only where a bound of what
  /// is counted cuts a day or an hour.
  ///
  /// The result is that of a pass over all events of the days.
  ///
  /// - Throws: `UnreadableCell`, or `DatabaseError`.
  mutating func read(_ days: CountedDays, _ reader: Reader) throws {
    let readers = [
      FactTables.Place.kept: try CountReader(reader, .kept),
      .counted: try CountReader(reader, .counted),
    ]
    let events = try EventRange(reader)
    let details = try DetailReader(reader)
    for (index, day) in days.days.enumerated() {
      guard let counts = readers[days.place(of: day)] else { continue }
      if needs.haveUsage { try readHours(counts.hours, day, index, events) }
      let cuts = Cuts(of: day, in: self)
      if needs.havePeople {
        try readPeople(counts.people, day, index, cuts)
        if cuts.hasAny { try readEvents(of: day, cuts, events, details) }
      }
      if needs.have("popup"), cuts.isInPeriod { try readPopups(counts.popups, day) }
      try copyDetails(counts, day)
    }
    try popups.finish()
    self.counts.finish()
  }

  /// What of a day has to be counted from its events.
  private struct Cuts {
    /// The spans, and the windows of experiments, that hold the whole day; nil for a cut.
    let spans: [Int]?
    let windows: [Int]?
    /// The place of the day among those that people are followed on; nil for none.
    let place: Int?
    let isPeopleCut: Bool
    let isInPeriod: Bool
    /// Of a day that is not cut.
    let sides: ReportRelations.Sides

    init(of day: Range<Int64>, in pass: LedgerPass) {
      spans = pass.counts.people.spans(holding: day)
      windows =
        if case .whole(let windows) = pass.people.experiments.place(of: day) { windows } else {
          nil
        }
      place = pass.people.days.starts.firstIndex(of: day.lowerBound)
      let people = pass.people.people
      isPeopleCut = people.cuts(day) || pass.followed.cuts(day)
      isInPeriod = people.period.overlaps(day)
      sides = people.sides(at: day.lowerBound)
    }

    var hasAny: Bool { spans == nil || windows == nil || isPeopleCut }
  }

  private mutating func readHours(
    _ rows: RawStatement, _ day: Range<Int64>, _ index: Int, _ events: EventRange
  ) throws {
    try rows.bind(day.lowerBound, at: 1)
    defer { rows.reset() }
    let length = FactTables.hourLength(of: day)
    let bounds = counts.bounds.filter { day.lowerBound < $0 && $0 < day.upperBound }
    var recounted = Int64.min
    while try rows.step() {
      let start = day.lowerBound + rows.integer(column: 0) * 1_000_000
      let hour = start..<start + length
      let isCut = bounds.contains { start < $0 && $0 < hour.upperBound }
      if isCut, recounted != start {
        recounted = start
        try readBuckets(hour, events)
      }
      let key = try counts.buckets.key(
        rows.text(column: 1), rows.text(column: 2), rows.text(column: 3), rows.text(column: 4))
      let count = Int(rows.integer(column: 5))
      if let platform, key.platform != platform {
        if !isCut, counts.period.contains(start) {
          otherPlatforms[key.platform, default: 0] += count
        }
        continue
      }
      counts.days.add(count, key, on: index)
      if !isCut { counts.buckets.add(count, startingAt: start, key, in: counts.span(of: start)) }
    }
  }

  /// Counts an hour that a period cuts, by its quarters.
  private mutating func readBuckets(_ hour: Range<Int64>, _ events: EventRange) throws {
    try events.forEach(in: hour) { event in
      let key = try counts.buckets.key(event.feature, event.kind, event.userType, event.platform)
      guard platform == nil || key.platform == platform else {
        if counts.period.contains(event.at) { otherPlatforms[key.platform, default: 0] += 1 }
        return
      }
      counts.buckets.add(at: event.at, key, in: counts.span(of: event.at))
    }
    counts.buckets.endStretch()
  }

  private mutating func readPeople(
    _ rows: RawStatement, _ day: Range<Int64>, _ index: Int, _ cuts: Cuts
  ) throws {
    try rows.bind(day.lowerBound, at: 1)
    defer { rows.reset() }
    while try rows.step() {
      let row = PersonDayRow(rows)
      for span in cuts.spans ?? [] { counts.people.add(row.person, in: span) }
      counts.days.add(row, on: index)
      try parts.add(row, on: index, ids)
      if cuts.isInPeriod { try endPopups(row) }
      guard let place = cuts.place else { continue }
      if let windows = cuts.windows { people.experiments.add(row, in: windows) }
      if let told = people.people.addReturns(of: row), told.at < followed.upperBound,
        people.sample.holds(ids[row.person])
      {
        try people.relations.addAttempt(of: row.person, at: told.at, isUse: told.isUse)
      }
      if !cuts.isPeopleCut {
        try people.add(row, on: place, cuts.sides, ids)
      }
    }
  }

  private mutating func endPopups(_ row: PersonDayRow) throws {
    for feature in Feature.allCases where row.flags.contains(.endsPopup(of: feature)) {
      try popups.endQuietly(PopupDay.Place(person: row.person, feature: feature))
    }
  }

  private mutating func readEvents(
    of day: Range<Int64>, _ cuts: Cuts, _ events: EventRange, _ details: DetailReader
  ) throws {
    try events.forEach(in: day) { event in
      let key = try counts.buckets.key(event.feature, event.kind, event.userType, event.platform)
      guard !event.user.isEmpty, platform == nil || key.platform == platform else { return }
      let person = ids.number(of: event.user)
      if cuts.spans == nil { counts.people.add(person, at: event.at) }
      let use = PeopleCount.Use(at: event.at, kind: key.kind, userType: key.userType)
      guard followed.contains(event.at), let place = cuts.place else { return }
      if cuts.windows == nil { people.experiments.add(use, of: person) }
      guard cuts.isPeopleCut, try people.count(use, key, of: person, on: place, ids) else { return }
      try people.nameCountry(details.detail(of: event.id, person, key, at: event.at))
    }
  }

  private mutating func readPopups(_ rows: RawStatement, _ day: Range<Int64>) throws {
    try rows.bind(day.lowerBound, at: 1)
    defer { rows.reset() }
    while try rows.step() {
      func instant(_ column: Int32) -> Int64? {
        rows.isNull(column: column) ? nil : rows.integer(column: column)
      }
      let feature = try Feature(
        stored: String(decoding: rows.text(column: 1), as: UTF8.self), in: "feature",
        of: FactTables.Name.popup.rawValue)
      let ending =
        rows.isNull(column: 5) ? nil : String(decoding: rows.text(column: 5), as: UTF8.self)
      try popups.add(
        PopupDay.Popup(
          place: PopupDay.Place(person: instant(0).map(Int.init), feature: feature),
          shownAt: instant(2), performedAt: instant(3), endedAt: instant(4), ending: ending,
          seconds: instant(6)))
    }
  }

  private func copyDetails(_ counts: CountReader, _ day: Range<Int64>) throws {
    guard followed.overlaps(day) else { return }
    let period = people.people.period
    if period.overlaps(day), needs.have("single_event") {
      try counts.singles.run(with: day.lowerBound, period.lowerBound, period.upperBound)
    }
    for (relation, copy) in counts.details where needs.have(relation) {
      try copy.run(
        with: day.lowerBound, period.lowerBound, period.upperBound, people.sample.oneIn > 1)
    }
  }
}

extension PeoplePass {
  /// Counts what a person did on a day that lies on each side whole, or not at all.
  fileprivate mutating func add(
    _ row: PersonDayRow, on day: Int, _ sides: ReportRelations.Sides, _ ids: StringInterner
  ) throws {
    let person = row.person
    let cameThrough = people.hasComeThroughLimit(person)
    let wasActive = try people.add(row, on: day, sides)
    name(String(decoding: row.platform, as: UTF8.self), of: person)
    guard sides.inPeriod, countries[person, default: ""].isEmpty, sample.holds(ids[person]) else {
      return
    }
    // People who come through the limit are active from then on.
    let isByLimit = !cameThrough && people.hasComeThroughLimit(person)
    let country =
      if wasActive {
        row.toldCountry
      } else if isByLimit, !row.flags.contains(.freeFirst) {
        row.subscriberCountry
      } else {
        row.activeCountry
      }
    if !country.isEmpty { countries[person] = String(decoding: country, as: UTF8.self) }
  }

  /// Counts an event of a day that a bound cuts; returns whether it names the person's country.
  fileprivate mutating func count(
    _ use: PeopleCount.Use, _ key: BucketCounter.EventKey, of person: Int, on day: Int,
    _ ids: StringInterner
  ) throws -> Bool {
    let isFirst = people.add(use, of: person, day: day)
    name(key.platform, of: person)
    return people.isInPeriod(use) && (isFirst || Self.tellsDetails(key))
      && countries[person, default: ""].isEmpty && sample.holds(ids[person])
  }

  fileprivate mutating func nameCountry(_ detail: EventDetail) {
    countries[detail.person] = detail.country
  }
}

/// Reads the events of limited features in a range, as the pass over them does.
private struct EventRange {
  struct Row {
    let at: Int64
    let id: Int64
    let feature: UnsafeRawBufferPointer
    let kind: UnsafeRawBufferPointer
    let userType: UnsafeRawBufferPointer
    let user: UnsafeRawBufferPointer
    let platform: UnsafeRawBufferPointer
  }

  private let events: RawStatement

  init(_ reader: Reader) throws {
    events = try RawStatement(reader.database, sql: LedgerPass.eventsQuery)
  }

  /// The bytes of a row are gone after its call.
  func forEach(in range: Range<Int64>, _ body: (Row) throws -> Void) throws {
    events.rewind()
    defer { events.reset() }
    try events.bind(range.lowerBound, at: 1)
    try events.bind(range.upperBound, at: 2)
    while try events.step() {
      try body(
        Row(
          at: events.integer(column: 0), id: events.integer(column: 5),
          feature: events.text(column: 1), kind: events.text(column: 2),
          userType: events.text(column: 3), user: events.text(column: 4),
          platform: events.text(column: 6)))
    }
  }
}
