import GRDB
import Model

/// Adds the counts of a day to the fact tables, or to temporary ones of the same columns.
///
/// A reference, since the rows of a table are numbered.
final class FactInsertion {
  private let days: RowInsertion
  private let hours: RowInsertion
  private let imports: RowInsertion
  private let people: RowInsertion
  private let offers: RowInsertion
  private let filters: RowInsertion
  private let blocks: RowInsertion
  private let attempts: RowInsertion
  private let popups: RowInsertion
  private let singles: RowInsertion
  private let shownPrices = ShownPrices()
  /// How many rows of the day each numbered table has.
  private var offerCount = 0
  private var filterCount = 0
  private var blockCount = 0
  private var attemptCount = 0
  private var popupCount = 0

  init(_ reader: Reader, into place: FactTables.Place) {
    func insertion(_ table: FactTables.Name) -> RowInsertion {
      RowInsertion(reader.database, into: place.name(of: table))
    }
    days = insertion(.day)
    hours = insertion(.hour)
    imports = insertion(.imports)
    people = insertion(.personDay)
    offers = insertion(.offer)
    filters = insertion(.filterUse)
    blocks = insertion(.block)
    attempts = insertion(.attempt)
    popups = insertion(.popup)
    singles = insertion(.singleEvent)
  }

  /// Begins to number the rows of a day.
  func begin() {
    (offerCount, filterCount, blockCount, attemptCount, popupCount) = (0, 0, 0, 0, 0)
  }

  /// Adds the day itself, whose rows are then all there.
  func addDay(_ day: Range<Int64>) throws {
    try days.add(["day": day.lowerBound, "end": day.upperBound])
  }

  func add(_ bucket: UsageData.Bucket, of day: Int64) throws {
    try hours.add([
      "day": day, "second": bucket.startsAtSeconds - day / 1_000_000,
      "feature": bucket.feature.rawValue, "kind": bucket.kind.rawValue,
      "user_type": bucket.userType?.rawValue ?? "", "platform": bucket.platform,
      "events": bucket.count,
    ])
  }

  func addImport(_ day: Int64, hour: Int64, lines: Int) throws {
    try imports.add(["day": day, "hour": hour, "lines": lines])
  }

  func addSingle(_ day: Int64, _ id: Int64, at: Int64, _ key: BucketCounter.EventKey) throws {
    try singles.add([
      "day": day, "id": id, "at": at, "feature": key.feature.rawValue, "kind": key.kind.rawValue,
    ])
  }

  func addBlock(_ day: Int64, of person: Int, at: Int64, _ feature: Feature) throws {
    try blocks.add([
      "day": day, "place": blockCount, "person": person, "at": at, "feature": feature.rawValue,
    ])
    blockCount += 1
  }

  func addAttempt(_ day: Int64, of person: Int, at: Int64, isUse: Bool) throws {
    try attempts.add([
      "day": day, "place": attemptCount, "person": person, "at": at, "is_use": isUse,
    ])
    attemptCount += 1
  }

  func add(_ popup: PopupDay.Popup, of day: Int64) throws {
    try popups.add([
      "day": day, "place": popupCount, "person": popup.place.person,
      "feature": popup.place.feature.rawValue, "shown_at": popup.shownAt,
      "performed_at": popup.performedAt, "ended_at": popup.endedAt, "ending": popup.ending,
      "seconds": popup.seconds,
    ])
    popupCount += 1
  }

  /// Adds what the parameters of an event say, if it is an offer or one of the filter.
  func add(_ detail: EventDetail, of day: Int64) throws {
    switch detail.content {
    case .offer(let offer): try add(offer, of: detail, day)
    case .filterTap(let criteria, let gender, let country):
      try addFilter(detail, day, isTap: true, criteria, gender, country, results: nil)
    case .filterResult(let criteria, let results):
      try addFilter(detail, day, isTap: false, criteria, "", "", results: results)
    case .other: break
    }
  }

  private func add(_ offer: EventDetail.Offer, of detail: EventDetail, _ day: Int64) throws {
    guard offer.allowance != nil || offer.price != nil || offer.isTap else { return }
    let price = shownPrices.price(of: offer.price)
    try offers.add([
      "day": day, "place": offerCount, "person": detail.person, "at": detail.at,
      "feature": detail.event.feature.rawValue, "kind": detail.event.kind.rawValue,
      "usage_limit": offer.allowance?.limit,
      "uses_left": offer.allowance.map { max(0, $0.limit - $0.usage) }, "price": offer.price,
      "amount": price.amount, "currency": price.currency, "term": price.term,
      "monthly": price.monthly,
    ])
    offerCount += 1
  }

  private func addFilter(
    _ detail: EventDetail, _ day: Int64, isTap: Bool, _ criteria: [FilterCriterion],
    _ gender: String, _ country: String, results: Int?
  ) throws {
    try filters.add([
      "day": day, "place": filterCount, "person": detail.person, "at": detail.at,
      "is_tap": isTap, "segment": detail.event.userType?.rawValue,
      "criteria": criteria.map(\.rawValue).joined(separator: " "), "gender": gender.nonempty,
      "country": country.nonempty, "results": results,
    ])
    filterCount += 1
  }

  func add(_ person: PersonDay, at place: Int, of day: Int64) throws {
    func offset(_ at: Int64?) -> Int64? { at.map { $0 - day } }
    let awaiting: Int64? =
      switch person.awaiting {
      case .asBefore: nil
      case .none: -1
      case .since(let at): at - day
      }
    func country(_ name: String) -> String? { name == person.country ? nil : name }
    func taps(_ feature: Feature) -> UInt32 { person.featureTaps[feature.position] }
    func performed(_ feature: Feature) -> UInt32 { person.featurePerformed[feature.position] }
    try people.add([
      "day": day, "place": place, "person": person.person, "platform": person.platform,
      "country": person.country, "version": person.version,
      "told_country": country(person.toldCountry),
      "active_country": country(person.activeCountry),
      "subscriber_country": country(person.subscriberCountry), "events": person.events,
      "first_at": offset(person.firstAt), "flags": person.flags.rawValue,
      "newest_type": person.newestType?.rawValue, "new_until": offset(person.newUntil),
      "free_from": offset(person.freeFrom), "subscriber_from": offset(person.subscriberFrom),
      "taps": person.taps, "free_taps": person.freeTaps, "performed": person.performed,
      "free_blocked": person.freeBlocked, "first_tap": offset(person.firstTap),
      "second_tap": offset(person.secondTap), "first_block": offset(person.firstBlock),
      "last_attempt": offset(person.lastAttempt), "attempted_at": offset(person.attemptedAt),
      "returned_at": offset(person.returnedAt), "awaiting_since": awaiting,
      "refresh_taps": taps(.refresh), "refresh_performed": performed(.refresh),
      "filter_taps": taps(.filter), "filter_performed": performed(.filter),
      "search_taps": taps(.search), "search_performed": performed(.search),
      "message_taps": taps(.message), "message_performed": performed(.message),
      "conversation_taps": taps(.conversation), "conversation_performed": performed(.conversation),
    ])
  }
}
