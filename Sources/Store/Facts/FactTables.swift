import GRDB
package import Model

/// The counts of whole civil days that reports keep: docs/counts.md.
enum FactTables {
  enum Name: String, CaseIterable {
    case state = "fact_state"
    case day = "fact_day"
    case person = "fact_person"
    case hour = "fact_hour"
    case imports = "fact_import"
    case personDay = "fact_person_day"
    case offer = "fact_offer"
    case filterUse = "fact_filter_use"
    case block = "fact_block"
    case attempt = "fact_attempt"
    case popup = "fact_popup"
    case singleEvent = "fact_single_event"

    /// Those with rows of a day.
    static let ofDays = allCases.filter { $0 != .person && $0 != .state }
  }

  /// Where counts lie.
  enum Place: String {
    /// In the database.
    case kept = "main"
    /// In temporary tables, for days whose counts are not kept.
    case counted = "temp"

    /// The name in SQL; temporary tables hide none of the database.
    func name(of table: Name) -> String {
      switch self {
      case .kept: "main.\(table.rawValue)"
      case .counted: "temp.\(table.rawValue.replacing("fact_", with: "counted_"))"
      }
    }
  }

  /// What the counts were made by: another one makes all of them again.
  struct View: Hashable {
    let timeZone: String
    /// Nil for all.
    let platform: String?

    /// Raised when days are counted in another way.
    private static let revision = 2

    var text: String { "\(Self.revision) \(timeZone) \(platform ?? "*")" }
  }

  /// How long the hours of a day are by which its events are counted, in microseconds.
  ///
  /// Quarters of an hour on a day that is half an hour longer or shorter: the hours of its clock
  /// begin within others.
  static func hourLength(of day: Range<Int64>) -> Int64 {
    let quarter = BucketCounter.quarterMicroseconds
    return (day.upperBound - day.lowerBound) % (4 * quarter) == 0 ? 4 * quarter : quarter
  }
}

extension Reader {
  /// The days whose counts are kept for a view and hold, by their first instants; for nil, those of
  /// whatever view there is.
  ///
  /// Reads the events that came after them.
  func keptDays(of view: FactTables.View?) throws -> Set<Int64> {
    guard let counted = try countedThrough(view) else { return [] }
    let days = try rows("SELECT day, \"end\" FROM fact_day ORDER BY day") { row in
      (row[0] as Int64)..<(row[1] as Int64)
    }
    return Set(days.map(\.lowerBound)).subtracting(try changedDays(days, after: counted))
  }

  /// The newest event that the counts of a view know of, by its row; nil for counts of another
  /// view.
  private func countedThrough(_ view: FactTables.View?) throws -> Int64? {
    try value("SELECT event FROM fact_state WHERE ?1 IS NULL OR view = ?1", [view?.text])
  }

  /// The days that have events in rows after one; `days` do not overlap, and are sorted.
  fileprivate func changedDays(_ days: [Range<Int64>], after event: Int64) throws -> Set<Int64> {
    let events = try RawStatement(database, sql: "SELECT at FROM events WHERE id > ?1")
    defer { events.reset() }
    try events.bind(event, at: 1)
    var changed: Set<Int64> = []
    // The changed day that was met last: events of a day mostly come together.
    var last: Range<Int64> = 0..<0
    while try events.step() {
      let at = events.integer(column: 0)
      guard !last.contains(at), let index = days.lastIndex(startingUntil: at),
        days[index].contains(at)
      else { continue }
      last = days[index]
      changed.insert(last.lowerBound)
    }
    return changed
  }

  /// All people with kept counts, by their numbers there.
  func keptPeople() throws -> StringInterner {
    let people = StringInterner()
    let rows = try RawStatement(
      database, sql: "SELECT person, user_id FROM fact_person ORDER BY person")
    defer { rows.reset() }
    while try rows.step() {
      people.set(
        String(decoding: rows.text(column: 1), as: UTF8.self), Int(rows.integer(column: 0)))
    }
    return people
  }

  /// Makes empty temporary tables for days whose counts are not kept.
  func makeCountedTables() throws {
    for table in FactTables.Name.ofDays {
      let sql: String? = try value(
        "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", [table.rawValue])
      guard let sql else { continue }
      let name = FactTables.Place.counted.name(of: table)
      try database.execute(sql: "DROP TABLE IF EXISTS \(name)")
      try database.execute(
        sql: sql.replacing(
          "CREATE TABLE \(table.rawValue)", with: "CREATE TABLE \(name)", maxReplacements: 1))
    }
  }
}

extension Writer {
  /// Removes all counts, with everybody's ids.
  func removeCounts() throws {
    for table in FactTables.Name.allCases { try run("DELETE FROM \(table.rawValue)") }
  }

  /// Counts the first of the days without counts, in their order, at most `most` of them, and keeps
  /// them; a view other than the one before removes all others first.
  ///
  /// - Returns: whether any are left.
  func keepCounts(of days: [Range<Int64>], by view: FactTables.View, most: Int) throws -> Bool {
    let kept = try reader.keptDays(of: view)
    let missing = days.filter { !kept.contains($0.lowerBound) }
    let newest = try reader.count("SELECT max(id) FROM events")
    let isCurrent = try reader.hasRow(
      in: "fact_state", where: "view = ? AND event = ?", [view.text, newest])
    if missing.isEmpty, isCurrent { return false }
    if try !reader.hasRow(in: "fact_state", where: "view = ?", [view.text]) {
      try removeCounts()
    }
    try run(
      "DELETE FROM fact_day WHERE day NOT IN (SELECT value FROM json_each(?))",
      ["[\(kept.map(String.init).joined(separator: ","))]"])
    try run(
      "INSERT OR REPLACE INTO fact_state (id, view, event) VALUES (1, ?, ?)", [view.text, newest])
    guard !missing.isEmpty else { return false }
    let people = try reader.keptPeople()
    let known = people.count
    var counter = try FactCounter(
      reader, people, platform: view.platform, into: FactInsertion(reader, into: .kept))
    for day in missing.prefix(most) {
      try removeRows(of: day.lowerBound)
      try counter.count(day)
    }
    let insertion = try RawStatement(
      database, sql: "INSERT INTO fact_person (person, user_id) VALUES (?1, ?2)")
    for number in known..<people.count { try insertion.run(with: number, people[number]) }
    return missing.count > most
  }

  /// Removes the counts of days before the first one that reports look at, and people without
  /// counts.
  func removeCounts(before first: Int64) throws {
    // Also what is left of days that were forgotten.
    let removed = try FactTables.Name.ofDays.reduce(0) { count, table in
      try count + run("DELETE FROM \(table.rawValue) WHERE day < ?", [first])
    }
    guard removed > 0 else { return }
    try run(
      """
      DELETE FROM fact_person WHERE person NOT IN (SELECT person FROM fact_person_day)
        AND person NOT IN (SELECT person FROM fact_popup WHERE person IS NOT NULL)
      """)
  }

  /// What is left of a day whose counts were forgotten.
  private func removeRows(of day: Int64) throws {
    for table in FactTables.Name.ofDays {
      try run("DELETE FROM \(table.rawValue) WHERE day = ?", [day])
    }
  }
}

extension Array<Range<Int64>> {
  /// The last of sorted ranges that begins at an instant or before it; nil without one.
  fileprivate func lastIndex(startingUntil at: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].lowerBound <= at { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}

extension Store {
  /// Days that are counted in one transaction, so that other writers wait no longer than for these.
  private static let daysAtOnce = 14

  /// Keeps the counts of the days of the history, so that a report counts new days alone:
  /// docs/counts.md.
  ///
  /// Does nothing while another process writes: the report counts by itself then.
  ///
  /// - Throws: `StoreError`.
  package func keepCounts(
    of history: [Range<Instant>], in timeZone: String, on platform: String?
  ) throws {
    let days = history.map { $0.lowerBound.microseconds..<$0.upperBound.microseconds }
    guard !isReadOnly, let first = days.first, days.areCountable else { return }
    let view = FactTables.View(timeZone: timeZone, platform: platform)
    do {
      try write { try $0.removeCounts(before: first.lowerBound) }
      while try write({ try $0.keepCounts(of: days, by: view, most: Self.daysAtOnce) }) {}
    } catch StoreError.busy {
      return
    }
  }
}

extension [Range<Int64>] {
  /// Whether the days begin on quarters of an hour, as counts need it, and follow each other.
  var areCountable: Bool {
    let bounds = map(\.lowerBound) + [last?.upperBound ?? 0]
    return !isEmpty && bounds.allSatisfy { $0 % BucketCounter.quarterMicroseconds == 0 }
      && zip(self, dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
  }
}
