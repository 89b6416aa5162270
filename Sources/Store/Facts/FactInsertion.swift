import GRDB
import Model

/// Adds the counts of a day to the fact tables, or to temporary ones of the same columns.
///
/// A reference, since the rows of a table are numbered.
final class FactInsertion {
  private let days: RawStatement
  private let quarters: RawStatement
  private let people: RawStatement
  private let offers: RawStatement
  private let filters: RawStatement
  private let blocks: RawStatement
  private let attempts: RawStatement
  private let popups: RawStatement
  private let singles: RawStatement
  /// How many rows of the day each numbered table has.
  private var offerCount = 0
  private var filterCount = 0
  private var blockCount = 0
  private var attemptCount = 0
  private var popupCount = 0

  init(_ reader: Reader, into place: FactTables.Place) throws {
    func insertion(_ table: FactTables.Name) throws -> RawStatement {
      let columns = try reader.database.columns(in: table.rawValue, in: "main").map(\.name)
      let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      return try RawStatement(
        reader.database,
        sql: """
          INSERT INTO \(place.name(of: table)) (\(columns.map(\.quoted).joined(separator: ", ")))
          VALUES (\(places))
          """)
    }
    days = try insertion(.day)
    quarters = try insertion(.quarter)
    people = try insertion(.personDay)
    offers = try insertion(.offer)
    filters = try insertion(.filterUse)
    blocks = try insertion(.block)
    attempts = try insertion(.attempt)
    popups = try insertion(.popup)
    singles = try insertion(.singleEvent)
  }

  /// Begins to number the rows of a day.
  func begin() {
    (offerCount, filterCount, blockCount, attemptCount, popupCount) = (0, 0, 0, 0, 0)
  }

  /// Adds the day itself, whose rows are then all there.
  func addDay(_ day: Range<Int64>) throws {
    try days.run(with: day.lowerBound, day.upperBound)
  }

  func add(_ bucket: UsageData.Bucket, of day: Int64) throws {
    try quarters.run(
      with: day,
      (bucket.startsAtSeconds * 1_000_000 - day) / BucketCounter.quarterMicroseconds,
      bucket.feature.rawValue, bucket.kind.rawValue,
      bucket.userType?.rawValue ?? "", bucket.platform, bucket.count)
  }

  func addSingle(_ day: Int64, _ id: Int64, at: Int64, _ key: BucketCounter.EventKey) throws {
    try singles.run(with: day, id, at, key.feature.rawValue, key.kind.rawValue)
  }

  func addBlock(_ day: Int64, of person: Int, at: Int64, _ feature: Feature) throws {
    try blocks.run(with: day, blockCount, person, at, feature.rawValue)
    blockCount += 1
  }

  func addAttempt(_ day: Int64, of person: Int, at: Int64, isUse: Bool) throws {
    try attempts.run(with: day, attemptCount, person, at, isUse)
    attemptCount += 1
  }

  func add(_ popup: PopupDay.Popup, of day: Int64) throws {
    try popups.run(
      with: day, popupCount, popup.place.person, popup.place.feature.rawValue, popup.shownAt,
      popup.performedAt, popup.endedAt, popup.ending, popup.seconds)
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
    let price = offer.price.flatMap(PriceText.init)
    try offers.run(
      with: day, offerCount, detail.person, detail.at, detail.event.feature.rawValue,
      detail.event.kind.rawValue, offer.allowance?.limit,
      offer.allowance.map { max(0, $0.limit - $0.usage) }, offer.price, price?.amount,
      price?.knownCurrency, price?.term?.rawValue, price?.monthly)
    offerCount += 1
  }

  private func addFilter(
    _ detail: EventDetail, _ day: Int64, isTap: Bool, _ criteria: [FilterCriterion],
    _ gender: String, _ country: String, results: Int?
  ) throws {
    try filters.run(
      with: day, filterCount, detail.person, detail.at, isTap, detail.event.userType?.rawValue,
      criteria.map(\.rawValue).joined(separator: " "), gender.isEmpty ? nil : gender,
      country.isEmpty ? nil : country, results)
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
    try people.run(
      with: day, place, person.person, person.platform, person.country, person.version,
      country(person.toldCountry), country(person.activeCountry),
      country(person.subscriberCountry), person.events, offset(person.firstAt),
      Int(person.flags.rawValue), person.newestType?.rawValue, offset(person.newUntil),
      offset(person.freeFrom), offset(person.subscriberFrom), person.taps, person.freeTaps,
      person.performed, person.freeBlocked, offset(person.firstTap), offset(person.secondTap),
      offset(person.firstBlock), offset(person.lastAttempt), offset(person.attemptedAt),
      offset(person.returnedAt), awaiting, person.featureTaps[0],
      person.featurePerformed[0], person.featureTaps[1], person.featurePerformed[1],
      person.featureTaps[2],
      person.featurePerformed[2], person.featureTaps[3], person.featurePerformed[3],
      person.featureTaps[4], person.featurePerformed[4])
  }
}
