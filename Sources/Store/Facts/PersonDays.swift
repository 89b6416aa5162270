import Model

/// The people of one civil day, while its events go by in the order of time: docs/counts.md#people.
struct PersonDays {
  /// In the order of their first events.
  private(set) var people: [PersonDay] = []
  /// Where each person is, by their number; -1 for who was not seen.
  private var places: [Int] = []
  private let details: RawStatement

  init(_ reader: Reader) throws {
    details = try RawStatement(
      reader.database, sql: "SELECT country, app_version FROM events WHERE id = ?1")
  }

  subscript(place: Int) -> PersonDay {
    get { people[place] }
    _modify { yield &people[place] }
  }

  /// Where a person is whose first event of the day was counted.
  func place(of person: Int) -> Int { places[person] }

  /// Where a person is; the first event of the day gives their platform, country and version.
  mutating func place(
    of person: Int, event id: Int64, _ key: BucketCounter.EventKey, at: Int64
  ) throws -> Int {
    while places.count <= person { places.append(-1) }
    if places[person] >= 0 { return places[person] }
    var seen = PersonDay(person: person, platform: key.platform, firstAt: at)
    try details.bind(id, at: 1)
    defer { details.reset() }
    if try details.step() {
      seen.country = String(decoding: details.text(column: 0), as: UTF8.self)
      seen.version = String(decoding: details.text(column: 1), as: UTF8.self)
    }
    places[person] = people.count
    people.append(seen)
    return people.count - 1
  }

  mutating func removeAll() {
    for person in people { places[person.person] = -1 }
    people.removeAll(keepingCapacity: true)
  }
}
