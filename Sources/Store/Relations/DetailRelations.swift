import Model

/// The relations of what single events say: `offer`, `price_shown`, `filter_use`, `block`,
/// `attempt` and `single_event`.
struct DetailRelations {
  private let offers: RawStatement
  private let filters: RawStatement
  private let prices: RawStatement
  private let blocks: RawStatement
  private let attempts: RawStatement
  private let singles: RawStatement

  init(_ reader: Reader) throws {
    offers = try RawStatement(
      reader.database, sql: "INSERT INTO temp.offer VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    prices = try RawStatement(
      reader.database,
      sql: """
        INSERT INTO temp.price_shown
        VALUES (?1, ?2, ?3, ?4, nullif(?5, ''), ?6, nullif(?7, ''), nullif(?8, ''), ?9)
        """)
    blocks = try RawStatement(reader.database, sql: "INSERT INTO temp.block VALUES (?1, ?2, ?3)")
    attempts = try RawStatement(
      reader.database, sql: "INSERT INTO temp.attempt VALUES (?1, ?2, ?3)")
    singles = try RawStatement(
      reader.database, sql: "INSERT INTO temp.single_event VALUES (?1, ?2, ?3)")
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

  func addBlock(_ feature: Feature, of person: Int, at: Int64) throws {
    try blocks.bind(Int64(person), at: 1)
    try blocks.bind(at, at: 2)
    try blocks.bind(copyOf: feature.rawValue, at: 3)
    try blocks.run()
  }

  /// Adds an attempt that succeeded, or that came after a pause.
  func addAttempt(of person: Int, at: Int64, isUse: Bool) throws {
    try attempts.bind(Int64(person), at: 1)
    try attempts.bind(at, at: 2)
    try attempts.bind(isUse ? 1 as Int64 : 0, at: 3)
    try attempts.run()
  }

  /// Adds an event that queries read for itself.
  func addSingle(_ id: Int64, _ key: BucketCounter.EventKey) throws {
    try singles.bind(id, at: 1)
    try singles.bind(copyOf: key.kind.rawValue, at: 2)
    try singles.bind(copyOf: key.feature.rawValue, at: 3)
    try singles.run()
  }

  private func addLimit(of offer: EventDetail.Offer, _ event: EventDetail) throws {
    guard let (limit, usage) = offer.allowance else { return }
    try offers.bind(Int64(event.person), at: 1)
    try offers.bind(event.at, at: 2)
    try offers.bind(copyOf: event.event.feature.rawValue, at: 3)
    try offers.bind(Int64(limit), at: 4)
    try offers.bind(Int64(max(0, limit - usage)), at: 5)
    try offers.bind(offer.isTap ? 1 as Int64 : 0, at: 6)
    try offers.run()
  }

  private func addPrice(of offer: EventDetail.Offer, _ event: EventDetail) throws {
    let price = offer.price.flatMap(PriceText.init)
    try prices.bind(Int64(event.person), at: 1)
    try prices.bind(event.at, at: 2)
    try prices.bind(copyOf: event.event.feature.rawValue, at: 3)
    try prices.bind(offer.isTap ? 1 as Int64 : 0, at: 4)
    try prices.bind(copyOf: offer.price ?? "", at: 5)
    try prices.bind(price?.amount, at: 6)
    try prices.bind(copyOf: price?.knownCurrency ?? "", at: 7)
    try prices.bind(copyOf: price?.term?.rawValue ?? "", at: 8)
    try prices.bind(price?.monthly, at: 9)
    try prices.run()
  }

  private func addFilter(
    _ event: EventDetail, isTap: Bool, _ criteria: [FilterCriterion], _ gender: String,
    _ country: String
  ) throws {
    try filters.bind(Int64(event.person), at: 1)
    try filters.bind(event.at, at: 2)
    try filters.bind(isTap ? 1 as Int64 : 0, at: 3)
    try filters.bind(copyOf: event.event.userType?.rawValue ?? "", at: 4)
    try filters.bind(copyOf: criteria.map(\.rawValue).joined(separator: " "), at: 5)
    try filters.bind(copyOf: gender, at: 6)
    try filters.bind(copyOf: country, at: 7)
    try filters.run()
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
        try people.bind(copyOf: ids[number], at: 2)
        try people.bind(copyOf: countries[number] ?? "", at: 20)
        try people.bind(copyOf: person.newestType?.rawValue ?? "", at: 23)
        try people.run()
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
}

/// What is read of an event whose parameters are told of.
struct EventDetail {
  enum Content {
    /// A popup, its price, or a tap on the subscription button.
    case offer(Offer)
    case filterTap([FilterCriterion], gender: String, country: String)
    /// A filter that was performed; nil when it does not tell how many users it found.
    case filterResult([FilterCriterion], Int?)
    case other
  }

  /// What an event says of an offer to subscribe.
  struct Offer {
    /// The limit, and how often the feature was used; nil for an event that does not tell both.
    let allowance: (limit: Int, usage: Int)?
    /// As the app showed it; nil for none.
    let price: String?
    let isTap: Bool
  }

  let at: Int64
  let person: Int
  let event: BucketCounter.EventKey
  let country: String
  let content: Content
  /// Whether it lies in the period; before it, prices alone are told of.
  var isInPeriod = true
}

/// Reads what the index does not have of an event.
struct DetailReader {
  private let events: RawStatement

  init(_ reader: Reader) throws {
    events = try RawStatement(
      reader.database, sql: "SELECT country, platform, parameters FROM events WHERE id = ?1")
  }

  func detail(
    of id: Int64, _ person: Int, _ key: BucketCounter.EventKey, at: Int64
  ) throws -> EventDetail {
    defer { events.reset() }
    try events.bind(id, at: 1)
    _ = try events.step()
    return EventDetail(
      at: at, person: person, event: key,
      country: String(decoding: events.text(column: 0), as: UTF8.self),
      content: try EventDetail.Content(events.text(column: 2), events.text(column: 1), of: key))
  }
}

extension EventDetail.Content {
  private static let offerNames = names(
    "usage_limit", "current_usage", "subscription_price_displayed")
  private static let filterNames = names(
    "filter_criteria", "filter_gender", "filter_country", "filter_language", "filter_result_count")

  private static func names(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }

  init(
    _ text: UnsafeRawBufferPointer, _ platform: UnsafeRawBufferPointer,
    of event: BucketCounter.EventKey
  ) throws(UnreadableCell) {
    func values(_ names: [[UInt8]]) throws(UnreadableCell) -> [EventValue?] {
      guard
        let values = ParameterText.values(
          of: names, platform, in: text.assumingMemoryBound(to: UInt8.self))
      else {
        throw UnreadableCell(
          table: "events", column: "parameters", value: String(decoding: text, as: UTF8.self))
      }
      return values
    }
    switch event.kind {
    case .popupShown, .pricingDisplayed, .subscriptionButtonTapped:
      self = .offer(Self.offer(try values(Self.offerNames), of: event))
    case .buttonTapped where event.feature == .filter:
      let values = try values(Self.filterNames)
      self = .filterTap(
        Self.criteria(values), gender: values[1]?.text ?? "", country: values[2]?.text ?? "")
    case .performed where event.feature == .filter:
      let values = try values(Self.filterNames)
      self = .filterResult(Self.criteria(values), values[4]?.wholeNumber)
    default: self = .other
    }
  }

  /// The limit is that of free users, and told once: by the popup and by the tap.
  private static func offer(
    _ values: [EventValue?], of event: BucketCounter.EventKey
  ) -> EventDetail.Offer {
    var allowance: (limit: Int, usage: Int)?
    if event.userType == .freeUser, event.kind != .pricingDisplayed,
      let limit = values[0]?.wholeNumber, let usage = values[1]?.wholeNumber, limit > 0, usage >= 0
    {
      allowance = (limit, usage)
    }
    return EventDetail.Offer(
      allowance: allowance, price: values[2]?.words,
      isTap: event.kind == .subscriptionButtonTapped)
  }

  /// Those that the event names in words, or by a parameter of their own.
  private static func criteria(_ values: [EventValue?]) -> [FilterCriterion] {
    let words = (values[0]?.text ?? "").lowercased()
      .split(separator: ",").map { $0.drop { $0 == " " } }
    func has(_ index: Int) -> Bool { !(values[index]?.text ?? "").isEmpty }
    return FilterCriterion.allCases.filter { criterion in
      let isNamed = words.contains { word in
        word == criterion.rawValue || word.hasPrefix("\(criterion.rawValue) ")
      }
      return switch criterion {
      case .gender: isNamed || has(1)
      case .country: isNamed || has(2)
      case .language: isNamed || has(3)
      case .age, .nearby: isNamed
      }
    }
  }
}

extension EventValue {
  /// A whole number, also in digits; nil for others.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(number)
    case .double(let number): Int(exactly: number)
    case .string(let text): Int(text)
    }
  }

  /// What was shown, also where it was logged as a number; nil for nothing.
  fileprivate var words: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    }
  }

  /// Nil for numbers.
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
