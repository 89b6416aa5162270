extension RelationTables {
  /// Fills the relations that are made of others and of the ledger's ratings, where somebody needs
  /// them: many queries read each of them, so that they are counted once.
  static func derivation(for needs: RelationNeeds) -> String {
    derivations.filter { needs.have($0.relation) }.map(\.sql).joined()
      + indexes.filter { needs.have($0.relation) }.map(\.sql).joined()
  }

  private static let derivations: [(relation: String, sql: String)] = [
    (
      "usage_day",
      """
      INSERT INTO temp.usage_day
      SELECT day, feature, segment, platform, in_period, in_whole, in_before, sum(taps),
          sum(free_taps), sum(performed), sum(blocked), sum(free_blocked),
          sum(free_blocked_in_wait), sum(popups), sum(dismissed), sum(bypassed), sum(subscription_taps)
      FROM temp.usage_hour GROUP BY day, feature, segment, platform, in_period, in_whole, in_before;

      """
    ),
    (
      "rating",
      """
      INSERT INTO temp.rating
      SELECT events.id, at, stars, user_id, country, app_version, platform, day.day, day.date,
          at >= period.start AND at < period."end",
          ifnull(at >= whole_start AND at < whole_end, 0),
          ifnull(at >= before_start AND at < before_end, 0)
      FROM temp.period CROSS JOIN main.events
          LEFT JOIN temp.day ON day.start = (
              SELECT max(start) FROM temp.day AS d WHERE d.start <= events.at)
      WHERE stars IS NOT NULL AND at < period."end"
          AND (only_user IS NULL OR user_id = only_user)
          AND (only_platform IS NULL OR platform IS NULL OR platform = only_platform)
      ORDER BY at;

      """
    ),
    ("payment", PaymentRelation.filling),
  ]

  /// Made once the rows are there: sorting them then takes less than keeping them sorted.
  private static let indexes: [(relation: String, sql: String)] =
    keys.filter { ["attempt", "block", "payment", "popup"].contains($0.key) }
    .map { ($0.key, "CREATE INDEX temp.\($0.key)_key ON \($0.key) (\($0.value));\n") }
}
