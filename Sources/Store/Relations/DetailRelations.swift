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
    switch event.event.kind {
    case .popupShown where event.isFree: try addOffer(event, isTap: false)
    case .subscriptionButtonTapped where event.isFree: try addOffer(event, isTap: true)
    case .buttonTapped where event.event.feature == .filter: try addFilter(event, isTap: true)
    case .performed where event.event.feature == .filter: try addFilter(event, isTap: false)
    default: break
    }
  }

  private func addOffer(_ event: EventDetail, isTap: Bool) throws {
    guard let limit = event.parameters.integer("usage_limit"),
      let usage = event.parameters.integer("current_usage"), limit > 0, usage >= 0
    else { return }
    try offers.bind(Int64(event.person), at: 1)
    try offers.bind(event.at, at: 2)
    try offers.bind(Int64(limit), at: 4)
    try offers.bind(Int64(max(0, limit - usage)), at: 5)
    try offers.bind(isTap ? 1 as Int64 : 0, at: 6)
    try offers.run(texts: [(3, event.event.feature.rawValue)])
  }

  private func addFilter(_ event: EventDetail, isTap: Bool) throws {
    let criteria = event.parameters.criteria.map(\.rawValue)
    try filters.bind(Int64(event.person), at: 1)
    try filters.bind(event.at, at: 2)
    try filters.bind(isTap ? 1 as Int64 : 0, at: 3)
    try filters.bind(
      isTap ? nil : event.parameters.integer("filter_result_count").map(Int64.init), at: 8)
    try filters.run(texts: [
      (4, event.event.userType?.rawValue ?? ""), (5, criteria.joined(separator: " ")),
      (6, isTap ? event.parameters.string("filter_gender") : ""),
      (7, isTap ? event.parameters.string("filter_country") : ""),
    ])
  }
}
