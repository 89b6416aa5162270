import GRDB
package import Model

/// The days of the history, before their events are counted.
package struct LedgerDays {
  package var history: DayHistory
  /// Hours whose lines of the export are missing, oldest first.
  package private(set) var exportGaps: [ExportGap] = []
  private let ledgerBeginsAt: Instant?

  package init(_ facts: [DayFacts], ledgerBeginsAt: Instant?) {
    history = DayHistory(days: facts)
    self.ledgerBeginsAt = ledgerBeginsAt
  }

  /// Judges how much of each day the ledger knows, and finds what of the export is missing.
  ///
  /// The running day's lines may still come: it is never in a gap. Nor are days whose export
  /// usually comes later than now.
  package mutating func judgeCoverage(
    _ reader: Reader, at now: Instant, in timeZone: String
  ) throws {
    try findGaps(reader, at: now)
    // What is awaited is no gap, also where it begins in the night before.
    if try markAwaited(reader, at: now, in: timeZone) { try findGaps(reader, at: now) }
  }

  private mutating func findGaps(_ reader: Reader, at now: Instant) throws {
    guard let first = history.days.first, let last = history.complete.last else { return }
    var hours = try reader.importHours(first.start..<last.end)
    // The last hour may belong to the running day in zones that are off by parts of an hour.
    if last.end < hours.start + .seconds(3_600 * hours.counts.count) { hours.counts.removeLast() }
    exportGaps = ExportGapRule.gaps(in: hours)
    for index in history.days.indices where history.days[index].coverage != .awaited {
      history.days[index].coverage = CoverageRule.coverage(
        of: history.days[index], at: now, ledgerBegins: ledgerBeginsAt, gaps: exportGaps)
    }
    for index in CoverageRule.lost(history.days, gaps: exportGaps) {
      history.days[index].coverage = .none
    }
    for index in history.days.indices {
      history.days[index].silentHours = CoverageRule.silentHours(
        of: history.days[index], gaps: exportGaps)
    }
  }

  /// Sets the newest days aside whose lines are still to come at their usual time; returns whether
  /// there are any.
  private mutating func markAwaited(
    _ reader: Reader, at now: Instant, in timeZone: String
  ) throws -> Bool {
    let arrivals = try reader.importArrivals(until: now)
    guard
      let rule = ExportArrivalRule(
        imports: arrivals.starts, newestLine: arrivals.newestLine, at: now, timeZone: timeZone)
    else { return false }
    while let last = history.complete.indices.last,
      rule.isAwaited(history.days[last], gaps: exportGaps)
    {
      history.days[last].coverage = .awaited
    }
    return !history.awaited.isEmpty
  }
}

extension Readable {
  /// The time of the newest event that is not [of the future](docs/running.md#times-in-the-future).
  ///
  /// Of a platform, or of all for nil; nil without events.
  package func newestEventAt(at now: Instant, on platform: String? = nil) throws -> Instant? {
    try reader.instant(
      """
      SELECT at FROM events WHERE at <= ?1 AND \(Event.isOfPlatform("?2"))
      ORDER BY at DESC LIMIT 1
      """, [now.latestCounted.microseconds, platform])
  }

  /// How many events are dated later than now, and the time of the last of them.
  ///
  /// Reads their entries of an index.
  package func eventsAhead(of now: Instant) throws -> (count: Int, latest: Instant?) {
    let latest = now.latestCounted.microseconds
    return (
      try reader.count("SELECT count(*) FROM events WHERE at > ?", [latest]),
      try reader.instant("SELECT max(at) FROM events WHERE at > ?", [latest])
    )
  }

  /// The time of the oldest event that came by import, else of the oldest one; nil without events.
  package func ledgerBeginsAt() throws -> Instant? {
    let own = "source = '\(Event.ownSource)'"
    return try reader.instant("SELECT at FROM events WHERE NOT \(own) ORDER BY at LIMIT 1")
      ?? reader.instant("SELECT min(at) FROM events")
  }

  /// Days with what the events of limited features do not show: ratings, lines of the export,
  /// billed reads and users online; their coverage is still to be judged.
  ///
  /// `spans` follow each other, oldest first. Ratings are of one user or platform alone when it is
  /// given; all else is everybody's.
  package func dayFacts(
    _ spans: [Range<Instant>], at now: Instant, of userId: String? = nil,
    on platform: String? = nil
  ) throws -> [DayFacts] {
    var days = spans.map { span in
      DayFacts(
        start: span.lowerBound, end: span.upperBound,
        coverage: span.upperBound > now ? .running : .whole)
    }
    guard let first = days.first, let last = days.last else { return days }
    /// Adds rows of a time and a number, in the order of time and within the days.
    func add(
      _ sql: String, _ more: StatementArguments = [],
      _ body: (inout DayFacts, _ at: Instant, _ number: Int) -> Void
    ) throws {
      let span: StatementArguments = [first.start.microseconds, last.end.microseconds]
      let rows = try Row.fetchCursor(reader.database, sql: sql, arguments: span + more)
      var day = 0
      while let row = try rows.next() {
        let at = Instant(microseconds: row[0])
        while days[day].end <= at { day += 1 }
        body(&days[day], at, row[1])
      }
    }
    try add(
      """
      SELECT at, stars FROM events
      WHERE stars BETWEEN 1 AND 5 AND stars IS NOT NULL AND at >= ?1 AND at < ?2
        AND (?3 IS NULL OR user_id = ?3) AND \(Event.isOfPlatform("?4"))
      ORDER BY at
      """, [userId, platform]
    ) { $0.stars[$2 - 1] += 1 }
    try add(
      """
      SELECT started_at, billed_reads FROM sync_runs
      WHERE started_at >= ?1 AND started_at < ?2 AND billed_reads > 0 ORDER BY started_at
      """
    ) { $0.reads += $2 }
    let clock = days.last { $0.start <= now }.map { now - $0.start } ?? .zero
    try add("SELECT at, online FROM online_counts WHERE at >= ?1 AND at < ?2 ORDER BY at") {
      $0.onlineNow = $2
      if $1 <= $0.start + clock { $0.onlineByNow = $2 }
    }
    let lines = try ImportLines(reader).counts(
      between: (days.map(\.start) + [last.end]).map(\.microseconds))
    for index in days.indices { days[index].exportLines = lines[index] }
    return days
  }

  /// Events that came by import, by the hours of UTC that `span` touches.
  package func importHours(_ span: Range<Instant>) throws -> ImportHours {
    let hour: Int64 = 3_600
    let first = Self.floor(span.lowerBound.unixSeconds, to: hour)
    let last = Self.floor(span.upperBound.unixSeconds - 1, to: hour) + hour
    let bounds = stride(from: first, through: max(first, last), by: Int(hour))
    return ImportHours(
      start: Instant(unixSeconds: first),
      counts: try ImportLines(reader).counts(between: bounds.map { $0 * 1_000_000 }))
  }

  /// The starts of the imports of the last 30 days that brought lines, oldest first, and the time
  /// of the newest line that came by import.
  package func importArrivals(
    until now: Instant
  ) throws -> (starts: [Instant], newestLine: Instant?) {
    let starts: [Int64] = try reader.values(
      """
      SELECT started_at FROM sync_runs
      WHERE started_at >= ? AND started_at <= ?
        AND kind = '\(JobKindName.importEvents.rawValue)' AND inserted > 0
      ORDER BY started_at
      """, [(now - .seconds(30 * 86_400)).microseconds, now.microseconds])
    let newest = try reader.instant(
      """
      SELECT at FROM events WHERE source <> '\(Event.ownSource)' AND at <= ?
      ORDER BY at DESC LIMIT 1
      """, [now.microseconds])
    return (starts.map(Instant.init(microseconds:)), newest)
  }

  /// Lines that came by import and are dated later than `now`; nil without one.
  ///
  /// Of many the earliest are looked at.
  package func linesAhead(of now: Instant) throws -> LinesAhead? {
    try reader.first(
      """
      SELECT count(*), count(DISTINCT nullif(user_id, '')), max(at) AS latest FROM (
        SELECT user_id, at FROM events WHERE source <> '\(Event.ownSource)' AND at > ?
        ORDER BY at LIMIT 1000000)
      """, [now.latestCounted.microseconds]
    ) { row in
      row.instant("latest").map { LinesAhead(lines: row[0], people: row[1], latest: $0) }
    } ?? nil
  }

  private static func floor(_ number: Int64, to step: Int64) -> Int64 {
    let remainder = number % step
    return number - (remainder < 0 ? remainder + step : remainder)
  }
}
