import Model

/// A row of the counts of people and days, read where SQLite has it: `PersonDay` as it is stored.
struct PersonDayRow {
  /// The columns after `day` and `place`, in the order of the table.
  private enum Column: Int32 {
    case day = 0
    case person = 2
    case platform, country, version, toldCountry, activeCountry, subscriberCountry
    case events, firstAt, flags, newestType
    case newUntil, freeFrom, subscriberFrom, taps, freeTaps, performed, freeBlocked
    case firstTap, secondTap, firstBlock, lastAttempt, attemptedAt, returnedAt, awaiting
    case features
  }

  private let statement: RawStatement
  private let day: Int64
  let person: Int
  let flags: PersonDay.Flags

  /// - Precondition: the statement selects all columns and is on a row.
  init(_ statement: RawStatement) {
    self.statement = statement
    day = statement.integer(column: Column.day.rawValue)
    person = Int(statement.integer(column: Column.person.rawValue))
    flags = PersonDay.Flags(
      rawValue: UInt32(truncatingIfNeeded: statement.integer(column: Column.flags.rawValue)))
  }

  var platform: UnsafeRawBufferPointer { text(.platform) }
  var country: UnsafeRawBufferPointer { text(.country) }
  var version: UnsafeRawBufferPointer { text(.version) }
  var toldCountry: UnsafeRawBufferPointer { country(.toldCountry) }
  var activeCountry: UnsafeRawBufferPointer { country(.activeCountry) }
  var subscriberCountry: UnsafeRawBufferPointer { country(.subscriberCountry) }
  var newestType: UnsafeRawBufferPointer { text(.newestType) }
  var events: Int { number(.events) }
  var firstAt: Int64 { day + statement.integer(column: Column.firstAt.rawValue) }
  var newUntil: Int64? { instant(.newUntil) }
  var freeFrom: Int64? { instant(.freeFrom) }
  var subscriberFrom: Int64? { instant(.subscriberFrom) }
  var taps: Int { number(.taps) }
  var freeTaps: Int { number(.freeTaps) }
  var performed: Int { number(.performed) }
  var freeBlocked: Int { number(.freeBlocked) }
  var firstTap: Int64? { instant(.firstTap) }
  var secondTap: Int64? { instant(.secondTap) }
  var firstBlock: Int64? { instant(.firstBlock) }
  var lastAttempt: Int64? { instant(.lastAttempt) }
  var attemptedAt: Int64? { instant(.attemptedAt) }
  var returnedAt: Int64? { instant(.returnedAt) }

  var awaiting: PersonDay.Awaiting {
    guard let at = instant(.awaiting) else { return .asBefore }
    return at < day ? .none : .since(at)
  }

  /// By the position of the feature, as in `PersonDay`.
  var featureTaps: SIMD8<UInt32> { features(from: 0) }
  var featurePerformed: SIMD8<UInt32> { features(from: 1) }

  private func features(from first: Int) -> SIMD8<UInt32> {
    var counts = SIMD8<UInt32>.zero
    for place in 0..<Feature.allCases.count {
      let column = Column.features.rawValue + Int32(2 * place + first)
      counts[place] = UInt32(truncatingIfNeeded: statement.integer(column: column))
    }
    return counts
  }

  private func text(_ column: Column) -> UnsafeRawBufferPointer {
    statement.text(column: column.rawValue)
  }

  private func country(_ column: Column) -> UnsafeRawBufferPointer {
    statement.isNull(column: column.rawValue) ? country : text(column)
  }

  private func number(_ column: Column) -> Int {
    Int(statement.integer(column: column.rawValue))
  }

  private func instant(_ column: Column) -> Int64? {
    statement.isNull(column: column.rawValue)
      ? nil : day + statement.integer(column: column.rawValue)
  }
}
