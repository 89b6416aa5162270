import GRDB
import Model

/// The relations of what the parameters of events say: `offer` and `filter_use`.
struct DetailRelations {
  private let offers: RawStatement
  private let filters: RawStatement

  init(_ reader: Reader) throws {
    offers = try RawStatement(
      reader.database, sql: "INSERT INTO temp.offer VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    filters = try RawStatement(
      reader.database,
      sql: """
        INSERT INTO temp.filter_use
        VALUES (?1, ?2, ?3, nullif(?4, ''), ?5, nullif(?6, ''), nullif(?7, ''), ?8)
        """)
  }

  /// Adds an event if it is an offer of a subscription, or one of the filter.
  func add(_ event: EventDetail) throws {
    switch event.content {
    case .offer(let limit, let usage, let isTap):
      try offers.bind(Int64(event.person), at: 1)
      try offers.bind(event.at, at: 2)
      try offers.bind(Int64(limit), at: 4)
      try offers.bind(Int64(max(0, limit - usage)), at: 5)
      try offers.bind(isTap ? 1 as Int64 : 0, at: 6)
      try offers.run(texts: [(3, event.event.feature.rawValue)])
    case .filterTap(let criteria, let gender, let country):
      try filters.bind(nil, at: 8)
      try addFilter(event, isTap: true, criteria, gender, country)
    case .filterResult(let criteria, let results):
      try filters.bind(results.map(Int64.init), at: 8)
      try addFilter(event, isTap: false, criteria, "", "")
    case .other: break
    }
  }

  private func addFilter(
    _ event: EventDetail, isTap: Bool, _ criteria: [FilterCriterion], _ gender: String,
    _ country: String
  ) throws {
    try filters.bind(Int64(event.person), at: 1)
    try filters.bind(event.at, at: 2)
    try filters.bind(isTap ? 1 as Int64 : 0, at: 3)
    try filters.run(texts: [
      (4, event.event.userType?.rawValue ?? ""),
      (5, criteria.map(\.rawValue).joined(separator: " ")), (6, gender), (7, country),
    ])
  }
}
