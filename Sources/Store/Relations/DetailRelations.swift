import GRDB
import Model

/// The relations of what single events say: `offer`, `price_shown`, `filter_use`, `block`,
/// `attempt` and `single_event`.
struct DetailRelations {
  private let offers: RowInsertion
  private let filters: RowInsertion
  private let prices: RowInsertion
  private let blocks: RowInsertion
  private let attempts: RowInsertion
  private let singles: RowInsertion
  private let shownPrices = ShownPrices()

  init(_ reader: Reader) {
    func insertion(_ table: String) -> RowInsertion {
      RowInsertion(reader.database, into: "temp.\(table)")
    }
    offers = insertion("offer")
    prices = insertion("price_shown")
    blocks = insertion("block")
    attempts = insertion("attempt")
    singles = insertion("single_event")
    filters = insertion("filter_use")
  }

  /// Adds an event if it is an offer of a subscription, or one of the filter.
  func add(_ event: EventDetail) throws {
    switch event.content {
    case .offer(let offer):
      if event.isInPeriod { try addLimit(of: offer, event) }
      if offer.price != nil || offer.isTap { try addPrice(of: offer, event) }
    case .filterTap(let criteria, let gender, let country):
      try addFilter(event, isTap: true, criteria, gender, country, results: nil)
    case .filterResult(let criteria, let results):
      try addFilter(event, isTap: false, criteria, "", "", results: results)
    case .other: break
    }
  }

  func addBlock(_ feature: Feature, of person: Int, at: Int64) throws {
    try blocks.add(["person": person, "at": at, "feature": feature.rawValue])
  }

  /// Adds an attempt that succeeded, or that came after a pause.
  func addAttempt(of person: Int, at: Int64, isUse: Bool) throws {
    try attempts.add(["person": person, "at": at, "is_use": isUse])
  }

  /// Adds an event that queries read for themselves.
  func addSingle(_ id: Int64, _ key: BucketCounter.EventKey) throws {
    try singles.add(["id": id, "kind": key.kind.rawValue, "feature": key.feature.rawValue])
  }

  private func addLimit(of offer: EventDetail.Offer, _ event: EventDetail) throws {
    guard let (limit, usage) = offer.allowance else { return }
    try offers.add([
      "person": event.person, "at": event.at, "feature": event.event.feature.rawValue,
      "usage_limit": limit, "uses_left": max(0, limit - usage), "is_tap": offer.isTap,
    ])
  }

  private func addPrice(of offer: EventDetail.Offer, _ event: EventDetail) throws {
    let price = shownPrices.price(of: offer.price)
    try prices.add([
      "person": event.person, "at": event.at, "feature": event.event.feature.rawValue,
      "is_tap": offer.isTap, "price": offer.price?.nonempty, "amount": price.amount,
      "currency": price.currency, "term": price.term, "monthly": price.monthly,
    ])
  }

  private func addFilter(
    _ event: EventDetail, isTap: Bool, _ criteria: [FilterCriterion], _ gender: String,
    _ country: String, results: Int?
  ) throws {
    try filters.add([
      "person": event.person, "at": event.at, "is_tap": isTap,
      "segment": event.event.userType?.rawValue,
      "criteria": criteria.map(\.rawValue).joined(separator: " "), "gender": gender.nonempty,
      "country": country.nonempty, "results": results,
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

  /// The days on which the accounts of the people that were met were made.
  func accountDays(_ reader: Reader, _ ids: StringInterner) throws -> [Int: Int] {
    let accounts = try RawStatement(
      reader.database,
      sql: "SELECT uid, created_at FROM auth_users WHERE created_at IS NOT NULL")
    defer { accounts.reset() }
    var found: [Int: Int] = [:]
    while try accounts.step() {
      guard let person = ids.known(accounts.text(column: 0)) else { continue }
      found[person] = days.place(of: accounts.integer(column: 1))
    }
    return found
  }

  /// Makes everybody who was met a row of `person`, and of `person_day` for each day.
  ///
  /// `versions` are those with which people began the period, by their numbers.
  fileprivate func fill(
    _ relations: ReportRelations, _ ids: StringInterner, _ versions: [Int: String],
    _ reader: Reader
  ) throws {
    guard let offset = firstDay(of: relations) else { return }
    let accounts = try accountDays(reader, ids)
    let isBeforeFollowed = days.followAll(since: self.people.before.lowerBound)
    let people = RowInsertion(reader.database, into: "temp.person")
    let seen = RowInsertion(reader.database, into: "temp.person_day")
    for (number, person) in self.people.people.enumerated() where person.wasMet {
      func at(_ instant: Int64) -> Int64? { instant == .max ? nil : instant }
      let has = person.flags.contains
      let way = person.ways.inPeriod
      let isNewcomer = !has(.seenEarlier) && person.days != 0
      let firstDay = isNewcomer ? person.days.trailingZeroBitCount + offset : nil
      let accountDay = accounts[number].map { $0 + offset }
      try people.add([
        "person": number, "user_id": ids[number], "first_day": firstDay,
        "account_day": accountDay, "in_period": has(.inPeriod), "is_active": way.contains(.active),
        "saw_popup": way.contains(.popup), "was_blocked": way.contains(.blocked),
        "tapped": way.contains(.tappedAtAll), "tapped_after_block": way.contains(.tapped),
        "subscribed_after_tap": way.contains(.subscribed), "stage": way.stage,
        "stage_in_whole": person.ways.inWhole.stage,
        "stage_in_before": isBeforeFollowed ? person.ways.inBefore.stage : nil,
        "is_new_subscriber": has(.newSubscriber), "first_tap": at(person.firstTap),
        "second_tap": at(person.secondTap), "first_block": at(person.firstBlock),
        "taps": person.taps, "free_taps": person.freeTaps, "performed": person.performed,
        "free_blocked": person.freeBlocked, "country": countries[number]?.nonempty,
        "platform": platforms[number], "is_sampled": sample.holds(ids[number]),
        "subscribed_at": at(person.subscribedAt), "newest_segment": person.newestType?.rawValue,
        "first_at": at(person.firstAt), "new_until": at(person.newUntil),
        "free_from": at(person.freeFrom), "came_through_limit": has(.cameThroughLimit),
        "app_version": versions[number]?.nonempty,
      ])
      var left = person.days
      while left != 0 {
        let isFree = person.freeDays & left & (0 &- left) != 0
        try seen.add([
          "person": number, "day": left.trailingZeroBitCount + offset, "is_free": isFree,
        ])
        left &= left - 1
      }
    }
  }
}

/// What is read of an event whose parameters count.
struct EventDetail {
  enum Content {
    /// A popup, its price, or a tap on the subscription button.
    case offer(Offer)
    case filterTap([FilterCriterion], gender: String, country: String)
    /// A filter that was performed; nil when it does not say how many users it found.
    case filterResult([FilterCriterion], Int?)
    case other
  }

  /// What an event says of an offer to subscribe.
  struct Offer {
    /// The limit, and how often the feature was used; nil for an event without both.
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
  /// Whether it lies in the period; before it, only prices are read.
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
      try ParameterText.stored(names, of: platform, in: text)
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

  /// The limit is that of free users, and each event states it: the popup and the tap.
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

/// People whose events' parameters are read: everybody, or one in a number.
///
/// People are chosen by the hash of their ids: of a chosen one all events are read, so that shares
/// of people stay unbiased. docs/people.md#samples.
struct EventSample {
  /// A ledger of this number of events is read in a sample.
  static let manyEvents = 10_000_000
  /// How many are then left out for one that is read.
  static let oneInOfMany = 16

  /// A power of 2.
  let oneIn: Int

  /// 1 for a ledger of few events, by its highest row number.
  static func oneIn(_ reader: Reader) throws -> Int {
    try reader.count("SELECT max(id) FROM events") < manyEvents ? 1 : oneInOfMany
  }

  func holds(_ id: @autoclosure () -> String) -> Bool {
    oneIn == 1 || Self.hash(id()) >> 11 & UInt32(oneIn - 1) == 0
  }

  /// 64-bit FNV-1a, folded so that the low bits depend on every byte: the same in every run.
  private static func hash(_ id: String) -> UInt32 {
    let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}

extension Reader {
  /// Fills `person`, `person_day` and `use_day`, as far as they are read.
  func fillPeople(_ relations: ReportRelations, _ pass: LedgerPass) throws {
    if pass.needs.have("person", "person_day") {
      try pass.people.fill(relations, pass.ids, pass.parts.versions, self)
    }
    guard pass.needs.have("use_day") else { return }
    let uses = RowInsertion(database, into: "temp.use_day")
    for (key, days) in pass.parts.uses {
      try uses.add([
        "feature": key.feature.rawValue, "segment": key.type?.rawValue, "uses": key.uses,
        "person_days": days,
      ])
    }
  }

  /// The totals of the relation `filter_use`.
  func demandData() throws -> DemandData {
    try first(
      """
      SELECT count(DISTINCT CASE WHEN is_tap THEN person END), ifnull(sum(is_tap), 0),
        count(results), ifnull(sum(results = 0), 0) FROM temp.filter_use
      """
    ) { DemandData(people: $0[0], taps: $0[1], answered: $0[2], empty: $0[3]) } ?? DemandData()
  }
}
