import GRDB
import Model

extension Reader {
  /// Pairs of limits that were live together, by feature, from the relation `offer`.
  func limitSplits() throws -> [ExperimentData.LimitSplit] {
    try Feature.allCases.compactMap { feature in
      let limits = try Int.fetchAll(
        database,
        sql: """
          SELECT usage_limit FROM temp.offer WHERE feature = ?
          GROUP BY usage_limit ORDER BY count(*) DESC, usage_limit LIMIT 2
          """, arguments: [feature.rawValue]
      ).sorted()
      guard limits.count == 2 else { return nil }
      return try LimitOffers(limits.map { try offers(feature, $0) }).split(feature, limits)
    }
  }

  /// In no order.
  private func offers(_ feature: Feature, _ limit: Int) throws -> [LimitOffers.Offer] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT at, person, uses_left = 0, is_tap FROM temp.offer
        WHERE feature = ? AND usage_limit = ?
        """, arguments: [feature.rawValue, limit])
    return try Array(
      rows.map {
        LimitOffers.Offer(at: $0[0], person: $0[1], isAtLimit: $0[2], isTap: $0[3])
      })
  }
}

/// Popups, and taps on the subscription button, with two limits of a feature.
private struct LimitOffers {
  struct Offer {
    let at: Int64
    let person: Int
    let isAtLimit: Bool
    let isTap: Bool
  }

  /// The lower limit first.
  private let byLimit: [[Offer]]

  init(_ byLimit: [[Offer]]) {
    self.byLimit = byLimit
  }

  /// How long two limits must have been live together to be compared.
  static let shortestOverlap = Duration.seconds(86_400)

  /// Whether both limits were met in most of the days of 24 hours: one that was changed and changed
  /// back was never live beside the other.
  private func areTogether(_ times: [[Int64]], from start: Int64, to end: Int64) -> Bool {
    let day: Int64 = 86_400_000_000
    // The rest of less than a day belongs to the last one.
    let last = max(0, (end - start) / day - 1)
    let days = times.map { times in
      Set(times.filter { (start...end).contains($0) }.map { min(last, ($0 - start) / day) })
    }
    let both = days.dropFirst().reduce(days[0]) { $0.intersection($1) }
    return 2 * both.count > Int(last) + 1
  }

  /// Nil when the two were not live together.
  func split(_ feature: Feature, _ limits: [Int]) -> ExperimentData.LimitSplit? {
    let times = byLimit.map { $0.map(\.at) }
    guard let start = times.compactMap({ $0.min() }).max(),
      let end = times.compactMap({ $0.max() }).min(),
      Instant(microseconds: end) - Instant(microseconds: start) >= Self.shortestOverlap,
      areTogether(times, from: start, to: end)
    else { return nil }
    let sides = byLimit.map { offers in
      offers.filter { (start...end).contains($0.at) }
    }
    let people = sides.map { Set($0.filter { !$0.isTap }.map(\.person)) }
    let both = people[0].intersection(people[1])
    func side(_ index: Int) -> ExperimentData.Side {
      let alone = people[index].subtracting(both)
      return ExperimentData.Side(
        people: alone.count,
        blocked: alone.intersection(sides[index].filter(\.isAtLimit).map(\.person)).count,
        tapped: alone.intersection(sides[index].filter(\.isTap).map(\.person)).count)
    }
    return ExperimentData.LimitSplit(
      feature: feature, start: Instant(microseconds: start), end: Instant(microseconds: end),
      lowerLimit: limits[0], higherLimit: limits[1], lower: side(0), higher: side(1),
      seenWithBoth: both.count)
  }
}
