import GRDB
import Model

/// What the counts of a pass, kept counts of offers and users' documents say of people:
/// docs/shares.md.
extension Readable {
  func shares(_ pass: LedgerPass) throws -> ShareCounts {
    var shares = pass.parts.shares
    let days = pass.counts.days.days.suffix(UsageData.partDays)
      .map { $0.start.microseconds..<$0.end.microseconds }
    guard pass.userId == nil, pass.needs.areOfPages else { return shares }
    if let kept = pass.keptDays {
      shares.offers = try reader.offers(on: days, kept: kept)
      try reader.addFilters(to: &shares, on: days, kept: kept)
    }
    try reader.addBlankFields(to: &shares, on: days)
    try reader.addLateLines(to: &shares, on: days, at: pass.now)
    return shares
  }
}

extension Reader {
  /// Offers of each day, from kept counts and those that the pass made of the other days.
  fileprivate func offers(
    on days: [Range<Int64>], kept: Set<Int64>
  ) throws -> [ShareCounts.Offer: [Int]] {
    var offers: [ShareCounts.Offer: [Int]] = [:]
    try forEachFact(
      .offer, on: days, kept: kept,
      """
      feature, usage_limit, ifnull(price, ''), count(*) FROM fact
      WHERE kind <> 'pricing_displayed' GROUP BY 1, 2, 3, 4
      """
    ) { day, row in
      guard let feature = Feature(rawValue: row[1]) else { return }
      let offer = ShareCounts.Offer(feature: feature, limit: row[2], price: row[3])
      offers[offer, default: [Int](repeating: 0, count: days.count)][day] += row[4]
    }
    return offers
  }

  /// Filters that say what they found, on each day.
  fileprivate func addFilters(
    to shares: inout ShareCounts, on days: [Range<Int64>], kept: Set<Int64>
  ) throws {
    shares.filters = [Int](repeating: 0, count: days.count)
    shares.filtersWithoutResult = shares.filters
    try forEachFact(
      .filterUse, on: days, kept: kept,
      "count(*), sum(results = 0) FROM fact WHERE results IS NOT NULL GROUP BY 1"
    ) { day, row in
      shares.filters[day] += row[1]
      shares.filtersWithoutResult[day] += row[2]
    }
  }

  /// The rows of a query about kept facts, and about those that the pass made of the other days;
  /// its first column is the place of the day.
  private func forEachFact(
    _ table: FactTables.Name, on days: [Range<Int64>], kept: Set<Int64>, _ columns: String,
    _ body: (Int, Row) throws -> Void
  ) throws {
    let places = Dictionary(uniqueKeysWithValues: days.enumerated().map { ($1.lowerBound, $0) })
    for place in [FactTables.Place.kept, .counted] {
      try forEachRow(
        """
        WITH fact AS NOT MATERIALIZED (SELECT * FROM \(place.name(of: table)) WHERE day >= ?1)
        SELECT day, \(columns)
        """, [days.first?.lowerBound ?? 0]
      ) { row in
        guard let day = places[row[0]], place == .counted || kept.contains(row[0]) else { return }
        try body(day, row)
      }
    }
  }

  /// Of the users who were last seen on each day, how many documents lack a field.
  fileprivate func addBlankFields(
    to shares: inout ShareCounts, on days: [Range<Int64>]
  ) throws {
    let fields = ShareCounts.Field.allCases
    let sums = fields.map { "ifnull(sum(ifnull(user_\($0.rawValue), '') = ''), 0)" }
    let statement = try RawStatement(
      database,
      sql: """
        SELECT count(*), \(sums.joined(separator: ", ")) FROM OnlineUsers
        WHERE user_last_time_seen >= ?1 AND user_last_time_seen < ?2
        """)
    defer { statement.reset() }
    for day in days {
      try statement.bind(day.lowerBound / 1_000_000, at: 1)
      try statement.bind(day.upperBound / 1_000_000, at: 2)
      guard try statement.step() else { continue }
      shares.lastSeen.append(Int(statement.integer(column: 0)))
      for (place, field) in fields.enumerated() {
        shares.blankFields[field, default: []].append(
          Int(statement.integer(column: Int32(place + 1))))
      }
      statement.rewind()
    }
  }

  /// Imports that are looked at, at most.
  private static let mostImports = 40

  /// Of the lines of each import, those that are dated before the last day that the import before
  /// it could bring.
  ///
  /// The rows of an import have the newest numbers. One that removed rows, or brought old ones for
  /// the most part, says nothing.
  fileprivate func addLateLines(
    to shares: inout ShareCounts, on days: [Range<Int64>], at now: Instant
  ) throws {
    shares.importedLines = [Int](repeating: 0, count: days.count)
    shares.lateLines = shares.importedLines
    let runs = try rows(
      """
      SELECT started_at, inserted, deleted FROM sync_runs
      WHERE kind = '\(JobKindName.importEvents.rawValue)' AND inserted > 0 AND started_at <= ?
      ORDER BY started_at DESC, id DESC LIMIT ?
      """, [now.latestCounted.microseconds, Self.mostImports]
    ) { row in (at: row[0] as Int64, inserted: row[1] as Int, deleted: row[2] as Int) }
    var end = try count("SELECT max(id) FROM events")
    for (run, before) in zip(runs, runs.dropFirst()) {
      let rows = (end - run.inserted + 1)...max(end - run.inserted + 1, end)
      end -= run.inserted
      guard run.deleted == 0, let day = days.lastIndex(where: { $0.upperBound <= run.at }),
        let known = days.last(where: { $0.upperBound <= before.at }), known != days[day]
      else { continue }
      let late = try count(
        """
        SELECT count(*) FROM events INDEXED BY events_content
        WHERE at >= ? AND at < ? AND id BETWEEN ? AND ?
        """,
        [
          known.upperBound - 2 * 86_400_000_000, known.upperBound, rows.lowerBound,
          rows.upperBound,
        ])
      guard late * 10 <= run.inserted * 9 else { continue }
      shares.importedLines[day] += run.inserted
      shares.lateLines[day] += late
    }
  }
}
