import GRDB
package import Model

extension Reader {
  /// Makes the relations that queries of a report read, empty, as temporary tables of this snapshot's
  /// connection, runs `body` and removes them.
  ///
  /// `ledgerPass` adds `offer` and `filter_use`, `fill` the others. Temporary tables hide those of
  /// the database that have the same name.
  ///
  /// - Throws: what `body` throws, and `DatabaseError`.
  package func withRelations<T>(_ body: () throws -> T) throws -> T {
    try removeRelations()
    try writingTemporaryTables { try database.execute(sql: RelationTables.sql) }
    do {
      let found = try body()
      try removeRelations()
      try setCache(kibibytes: DatabaseFile.writerCacheKibibytes)
      return found
    } catch {
      // The tables go with the snapshot.
      try setCache(kibibytes: DatabaseFile.writerCacheKibibytes)
      throw error
    }
  }

  /// Fills the relations that a pass and its report tell.
  package func fill(_ relations: ReportRelations, of pass: LedgerPass) throws {
    try writingTemporaryTables {
      try fillPeriod(relations, pass)
      try fill(relations.days)
      try fill(relations.usage)
      try pass.people.fill(relations, pass.ids, self)
    }
    try setCache(kibibytes: Self.queryCacheKibibytes)
  }

  /// What the page cache takes while queries run: SQLite sorts in as much memory again.
  private static let queryCacheKibibytes = 2_048

  private func setCache(kibibytes: Int) throws {
    guard !database.configuration.readonly else { return }
    try database.execute(sql: "PRAGMA cache_size = -\(kibibytes)")
  }

  /// Lifts the connection's own protection, which does not tell temporary tables from others.
  func writingTemporaryTables(_ body: () throws -> Void) throws {
    try database.execute(sql: "PRAGMA query_only = 0")
    do {
      try body()
    } catch let error as DatabaseError
      where [.SQLITE_FULL, .SQLITE_NOMEM].contains(error.resultCode)
    {
      // Nothing else is written here.
      throw QueryProblem(.noSpace)
    }
    guard !database.configuration.readonly else { return }
    try database.execute(sql: "PRAGMA query_only = 1")
  }

  private func removeRelations() throws {
    try writingTemporaryTables {
      for (kind, name) in RelationTables.names {
        try database.execute(sql: "DROP \(kind) IF EXISTS temp.\(name)")
      }
    }
  }

  private func fillPeriod(_ relations: ReportRelations, _ pass: LedgerPass) throws {
    let context = relations.context
    let main = context.comparison.main
    try database.execute(
      sql: "INSERT INTO temp.period VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        context.start.microseconds, context.end.microseconds, context.now.microseconds,
        context.timeZone, context.previousStart.microseconds,
        main?.current.lowerBound.microseconds,
        main?.current.upperBound.microseconds, main?.previous.lowerBound.microseconds,
        main?.previous.upperBound.microseconds, context.comparisonFault == nil && main != nil,
        pass.people.sample.oneIn, pass.people.firstDay(of: relations), pass.userId,
      ])
  }

  private func fill(_ days: [ReportRelations.Day]) throws {
    let insertion = try database.makeStatement(
      sql: "INSERT INTO temp.day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for day in days {
      try insertion.execute(arguments: [
        day.number, day.day.text, day.day.start.microseconds, day.day.end.microseconds,
        day.day.weekday, day.coverage.rawValue, day.isKnown, day.sides.inPeriod, day.sides.inWhole,
        day.sides.inBefore,
      ])
    }
  }

  private func fill(_ usage: [ReportRelations.Usage]) throws {
    let insertion = try database.makeStatement(
      sql: "INSERT INTO temp.usage_hour VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for row in usage {
      let (key, totals) = (row.key, row.totals)
      try insertion.execute(arguments: [
        key.day, key.hour, key.feature.rawValue, key.userType?.rawValue, key.sides.inPeriod,
        key.sides.inWhole, key.sides.inBefore, totals.taps, totals.freeTaps, totals.performed,
        totals.blocked, totals.freeBlocked, totals.popups, totals.dismissed, totals.bypassed,
        totals.subscriptionTaps,
      ])
    }
  }
}

extension Reader {
  /// Copies the relations, and the views of the database, into tables of `file`, an empty database,
  /// in which queries of a report then run as they are.
  ///
  /// Nothing is durable before the caller flushes the file, and a failure leaves it unusable.
  ///
  /// - Returns: the rows of all tables.
  /// - Throws: `StoreError` that names `destination`.
  package func copyRelations(toDatabase file: String, named destination: String) throws -> Int {
    try (RelationTables.names.map(\.1) + RelationTables.views).reduce(0) { count, name in
      try count
        + exportQuery("SELECT * FROM \"\(name)\"")
        .copyRows(toDatabase: file, table: name, named: destination)
    }
  }
}
