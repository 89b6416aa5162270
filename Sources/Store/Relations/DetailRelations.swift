import Model

/// The relations of what single events say: `offer`, `price_shown`, `filter_use`, `block` and
/// `attempt`.
struct DetailRelations {
  private let offers: RawStatement
  private let filters: RawStatement
  private let prices: RawStatement
  private let blocks: RawStatement
  private let attempts: RawStatement

  init(_ reader: Reader) throws {
    offers = try RawStatement(
      reader.database, sql: "INSERT INTO temp.offer VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    prices = try RawStatement(
      reader.database,
      sql: """
        INSERT INTO temp.price_shown
        VALUES (?1, ?2, ?3, ?4, nullif(?5, ''), ?6, nullif(?7, ''), nullif(?8, ''), ?9)
        """)
    blocks = try RawStatement(
      reader.database, sql: "INSERT INTO temp.block VALUES (?1, ?2, ?3)")
    attempts = try RawStatement(
      reader.database, sql: "INSERT OR IGNORE INTO temp.attempt VALUES (?1, ?2, ?3)")
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
    case .offer(let offer):
      if event.isInPeriod { try addLimit(of: offer, event) }
      if offer.price != nil || offer.isTap { try addPrice(of: offer, event) }
    case .filterTap(let criteria, let gender, let country):
      try filters.bindNull(at: 8)
      try addFilter(event, isTap: true, criteria, gender, country)
    case .filterResult(let criteria, let results):
      try filters.bind(results.map(Int64.init), at: 8)
      try addFilter(event, isTap: false, criteria, "", "")
    case .other: break
    }
  }

  /// Adds an event that blocked somebody.
  func addBlock(_ feature: Feature, of person: Int, at: Int64) throws {
    try blocks.bind(Int64(person), at: 1)
    try blocks.bind(at, at: 2)
    try blocks.run(texts: [(3, feature.rawValue)])
  }

  /// Adds an attempt that succeeded, or that began after a pause.
  func addAttempt(of person: Int, at: Int64, isUse: Bool) throws {
    try attempts.bind(Int64(person), at: 1)
    try attempts.bind(at, at: 2)
    try attempts.bind(isUse ? 1 as Int64 : 0, at: 3)
    try attempts.run()
  }

  private func addLimit(of offer: EventDetail.Offer, _ event: EventDetail) throws {
    guard let (limit, usage) = offer.allowance else { return }
    try offers.bind(Int64(event.person), at: 1)
    try offers.bind(event.at, at: 2)
    try offers.bind(Int64(limit), at: 4)
    try offers.bind(Int64(max(0, limit - usage)), at: 5)
    try offers.bind(offer.isTap ? 1 as Int64 : 0, at: 6)
    try offers.run(texts: [(3, event.event.feature.rawValue)])
  }

  private func addPrice(of offer: EventDetail.Offer, _ event: EventDetail) throws {
    let price = offer.price.flatMap(PriceText.init)
    try prices.bind(Int64(event.person), at: 1)
    try prices.bind(event.at, at: 2)
    try prices.bind(offer.isTap ? 1 as Int64 : 0, at: 4)
    try prices.bind(price?.amount, at: 6)
    try prices.bind(price?.monthly, at: 9)
    try prices.run(texts: [
      (3, event.event.feature.rawValue), (5, offer.price ?? ""), (7, price?.knownCurrency ?? ""),
      (8, price?.term?.rawValue ?? ""),
    ])
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
