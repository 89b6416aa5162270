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

extension PeoplePass {
  /// The number of the day on which the following of people begins; nil without days.
  func firstDay(of relations: ReportRelations) -> Int? {
    days.starts.first.flatMap { first in
      relations.days.first { $0.day.start.microseconds == first }?.number
    }
  }

  /// Makes everybody who was met a row of `person`, and of `person_day` for each day.
  func fill(_ relations: ReportRelations, _ ids: StringInterner, _ reader: Reader) throws {
    guard let offset = firstDay(of: relations) else { return }
    let accounts = try accountDays(reader, ids)
    do {
      let people = try RawStatement(
        reader.database,
        sql: """
          INSERT INTO temp.person VALUES
          (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
            nullif(?20, ''), ?21, ?22, nullif(?23, ''),
            ?24, ?25, ?26, ?27)
          """)
      let seen = try RawStatement(
        reader.database, sql: "INSERT INTO temp.person_day VALUES (?1, ?2, ?3)")
      defer {
        people.reset()
        seen.reset()
      }
      for (number, person) in self.people.people.enumerated() where person.wasMet {
        try people.bind(Int64(number), at: 1)
        try people.bind(person, account: accounts[number], offset: Int64(offset))
        try people.bind(sample.holds(ids[number]) ? 1 as Int64 : 0, at: 21)
        let times = [
          (22, person.subscribedAt), (24, person.firstAt), (25, person.newUntil),
          (26, person.freeFrom),
        ]
        let cameThroughLimit = person.flags.contains(.cameThroughLimit)
        try people.bind(cameThroughLimit ? 1 as Int64 : 0, at: 27)
        for (place, at) in times { try people.bind(at == .max ? nil : at, at: Int32(place)) }
        try people.run(texts: [
          (2, ids[number]), (20, countries[number] ?? ""), (23, person.newestType?.rawValue ?? ""),
        ])
        try seen.bind(Int64(number), at: 1)
        var left = person.days
        while left != 0 {
          try seen.bind(Int64(left.trailingZeroBitCount + offset), at: 2)
          try seen.bind(person.freeDays & left & (0 &- left) == 0 ? 0 as Int64 : 1, at: 3)
          try seen.run()
          left &= left - 1
        }
      }
    }
  }
}

extension RawStatement {
  /// Binds the values from `first_day` on; `offset` is the number of the first civil day.
  fileprivate func bind(
    _ person: PeopleCount.Person, account: Int?, offset: Int64
  ) throws {
    let isNewcomer = !person.flags.contains(.seenEarlier) && person.days != 0
    try bind(isNewcomer ? Int64(person.days.trailingZeroBitCount) + offset : nil, at: 3)
    try bind(account.map { Int64($0) + offset }, at: 4)
    let flags: [PeopleCount.Flags] = [
      .inPeriod, .active, .popup, .blocked, .tappedAtAll, .tapped, .subscribed, .newSubscriber,
    ]
    for (place, flag) in flags.enumerated() {
      try bind(person.flags.contains(flag) ? 1 as Int64 : 0, at: Int32(5 + place))
    }
    for (place, instant) in [person.firstTap, person.secondTap, person.firstBlock].enumerated() {
      try bind(instant == .max ? nil : instant, at: Int32(13 + place))
    }
    let counts = [person.taps, person.freeTaps, person.performed, person.freeBlocked]
    for (place, count) in counts.enumerated() { try bind(Int64(count), at: Int32(16 + place)) }
  }

  /// Runs with texts at their indices, which need stay no longer.
  func run(texts: [(index: Int32, text: String)]) throws {
    guard let first = texts.first else { return try run() }
    var text = first.text
    try text.withUTF8 {
      try bind(text: UnsafeRawBufferPointer($0), at: first.index)
      try run(texts: Array(texts.dropFirst()))
    }
  }
}
