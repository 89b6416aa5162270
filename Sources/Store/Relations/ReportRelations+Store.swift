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
    try body()
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

/// The relations as SQLite has them; docs/relations.md tells their columns.
package enum RelationTables {
  /// In the order in which they can be removed.
  package static let names = [
    ("VIEW", "v_person_day"), ("VIEW", "usage_day"), ("VIEW", "rating"), ("TABLE", "filter_use"),
    ("TABLE", "offer"), ("TABLE", "person_day"), ("TABLE", "person"), ("TABLE", "usage_hour"),
    ("TABLE", "day"), ("TABLE", "period"),
  ]

  /// Whether a query names one of them, or has a word that is the name of one.
  package static func areNamed(in sql: String) -> Bool {
    let words = Set(sql.lowercased().split { !$0.isLetter && $0 != "_" }.map(String.init))
    return names.contains { words.contains($0.1) }
  }

  /// The database's own views that queries of a report read, too.
  static let views = ["v_events", "v_feedback", "v_ratings", "v_reviews", "v_runs", "v_users"]

  static let sql = """
    CREATE TEMP TABLE period (
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        now INTEGER NOT NULL,
        time_zone TEXT NOT NULL,
        previous_start INTEGER NOT NULL,
        whole_start INTEGER,
        whole_end INTEGER,
        before_start INTEGER,
        before_end INTEGER,
        is_compared INTEGER NOT NULL,
        sampled_one_in INTEGER NOT NULL,
        first_day INTEGER,
        only_user TEXT
    );
    CREATE TEMP TABLE day (
        day INTEGER PRIMARY KEY,
        date TEXT NOT NULL,
        start INTEGER NOT NULL UNIQUE,
        "end" INTEGER NOT NULL,
        weekday INTEGER NOT NULL,
        coverage TEXT NOT NULL,
        is_known INTEGER NOT NULL,
        in_period INTEGER NOT NULL,
        in_whole INTEGER NOT NULL,
        in_before INTEGER NOT NULL
    );
    CREATE TEMP TABLE usage_hour (
        day INTEGER NOT NULL,
        hour INTEGER NOT NULL,
        feature TEXT NOT NULL,
        segment TEXT,
        in_period INTEGER NOT NULL,
        in_whole INTEGER NOT NULL,
        in_before INTEGER NOT NULL,
        \(totals.map { "\($0) INTEGER NOT NULL" }.joined(separator: ",\n    "))
    );
    CREATE TEMP VIEW usage_day AS
    SELECT day, feature, segment, in_period, in_whole, in_before,
        \(totals.map { "sum(\($0)) AS \($0)" }.joined(separator: ", "))
    FROM temp.usage_hour GROUP BY day, feature, segment, in_period, in_whole, in_before;
    CREATE TEMP TABLE person (
        person INTEGER PRIMARY KEY,
        user_id TEXT NOT NULL,
        first_day INTEGER,
        account_day INTEGER,
        in_period INTEGER NOT NULL,
        is_active INTEGER NOT NULL,
        saw_popup INTEGER NOT NULL,
        was_blocked INTEGER NOT NULL,
        tapped INTEGER NOT NULL,
        tapped_after_block INTEGER NOT NULL,
        subscribed_after_tap INTEGER NOT NULL,
        is_new_subscriber INTEGER NOT NULL,
        first_tap INTEGER,
        second_tap INTEGER,
        first_block INTEGER,
        taps INTEGER NOT NULL,
        free_taps INTEGER NOT NULL,
        performed INTEGER NOT NULL,
        free_blocked INTEGER NOT NULL,
        country TEXT,
        is_sampled INTEGER NOT NULL
    );
    CREATE TEMP TABLE offer (
        person INTEGER NOT NULL,
        at INTEGER NOT NULL,
        feature TEXT NOT NULL,
        usage_limit INTEGER NOT NULL,
        uses_left INTEGER NOT NULL,
        is_tap INTEGER NOT NULL
    );
    CREATE TEMP TABLE filter_use (
        person INTEGER NOT NULL,
        at INTEGER NOT NULL,
        is_tap INTEGER NOT NULL,
        segment TEXT,
        criteria TEXT NOT NULL,
        gender TEXT,
        country TEXT,
        results INTEGER
    );
    CREATE TEMP TABLE person_day (
        person INTEGER NOT NULL,
        day INTEGER NOT NULL,
        PRIMARY KEY (person, day)
    ) WITHOUT ROWID;
    CREATE TEMP VIEW v_person_day AS
    SELECT person.user_id, day.*
    FROM temp.person_day JOIN temp.person USING (person) JOIN temp.day USING (day);
    CREATE TEMP VIEW rating AS
    SELECT events.id, at, stars, user_id, country, app_version, day.day, day.date,
        at >= period.start AND at < period."end" AS in_period,
        ifnull(at >= whole_start AND at < whole_end, 0) AS in_whole,
        ifnull(at >= before_start AND at < before_end, 0) AS in_before
    FROM temp.period CROSS JOIN main.events
        LEFT JOIN temp.day ON day.start = (
            SELECT max(start) FROM temp.day AS d WHERE d.start <= events.at)
    WHERE stars IS NOT NULL AND at < period."end"
        AND (only_user IS NULL OR user_id = only_user);
    """

  private static let totals = [
    "taps", "free_taps", "performed", "blocked", "free_blocked", "popups", "dismissed", "bypassed",
    "subscription_taps",
  ]
}
