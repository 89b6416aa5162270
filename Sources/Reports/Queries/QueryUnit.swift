import Foundation
import Model

/// What a column of a query holds: docs/figures.md#units.
package enum QueryUnit: String, CaseIterable, Sendable {
  case text, code, count, ratio, rate, points, mean, change, seconds, money, day, instant, stars
  case trend, level
  case userId = "user_id"
  case name, city, age, seen, feature, segment

  /// What the names of the result's columns add to the column's id, part by part.
  package var endings: [String] {
    switch self {
    case .ratio, .rate: ["_part", "_whole"]
    case .points: ["_from_part", "_from_whole", "_to_part", "_to_whole"]
    case .mean: ["_total", "_count"]
    case .change: ["_now", "_previous"]
    case .money: ["", "_currency"]
    case .level: ["", "_words"]
    default: [""]
    }
  }

  /// Whether its cells are aligned as words are.
  var isLeading: Bool { !isDrawn && ![.points, .change, .age].contains(self) }

  /// Whether its cells name a row, and stay while the row's numbers change.
  var isName: Bool {
    [.text, .code, .day, .userId, .name, .city, .feature, .segment].contains(self)
  }

  /// Whether a chart can draw it, and a bar can stand beside it.
  package var isDrawn: Bool {
    [.count, .ratio, .rate, .mean, .seconds, .money, .stars].contains(self)
  }
}

/// What a value should have been, and what it is.
struct WrongValue: Error {
  let column: String
  let wanted: String
  let value: SQLValue
}

/// A value of a result under the name of its column, read as one kind or refused.
struct QueryValue {
  let column: String
  let value: SQLValue

  /// The largest number either way: larger ones are no exact numbers in JSON or a drawing.
  static let largest = 1_000_000_000_000_000

  var isNull: Bool { value == .null }

  func refusal(_ wanted: String) -> WrongValue {
    WrongValue(column: column, wanted: wanted, value: value)
  }

  /// A whole number, also one that SQLite holds as a real.
  func count(from least: Int = -largest, to most: Int = largest) throws -> Int {
    let number: Int? =
      switch value {
      case .integer(let integer): Int(exactly: integer)
      case .real(let real): Int(exactly: real)
      case .null, .text, .blob: nil
      }
    guard let number, (least...most).contains(number) else {
      let bounds =
        switch (least == -Self.largest, most == Self.largest) {
        case (true, true): ""
        case (false, true): " from \(least)"
        default: " from \(least) to \(most)"
        }
      throw refusal("a whole number\(bounds)")
    }
    return number
  }

  func number() throws -> Double {
    let number: Double? =
      switch value {
      case .integer(let integer): Double(integer)
      case .real(let real): real
      case .null, .text, .blob: nil
      }
    guard let number, number.magnitude <= Double(Self.largest) else { throw refusal("a number") }
    return number
  }

  func text(_ wanted: String = "text") throws -> String {
    guard case .text(let text) = value else { throw refusal(wanted) }
    return text
  }

  /// A word of a closed set.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) throws -> Word {
    let wanted = "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))"
    guard let word = Word(rawValue: try text(wanted)) else { throw refusal(wanted) }
    return word
  }
}

extension SQLValue {
  /// What stands there, for messages: `the text 'many'`.
  package var described: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "the integer \(integer)"
    case .real(let real): "the number \(real)"
    case .text(let text): "the text '\(VisibleText.line(VisibleText.clipped(text, to: 60)))'"
    case .blob(let bytes): "a blob of \(NumberWords.counted(bytes.count, "byte"))"
    }
  }
}

extension QueryUnit {
  /// The cell of the unit's parts, in the order of `endings`; a part that is NULL makes it missing.
  ///
  /// - Throws: `WrongValue` for a part of another kind.
  func cell(
    of parts: [QueryValue], basis: SectionQuery.Basis, in context: QueryContext,
    isTotal: Bool = false
  ) throws -> Cell {
    if self == .segment { return .text(try title(parts[0], isTotal: isTotal)) }
    guard !parts.contains(where: \.isNull) else { return .missing }
    switch self {
    case .ratio, .rate, .points, .mean, .change: return try compound(parts, basis, context)
    case .count: return .count(try parts[0].count())
    case .seconds: return .seconds(try parts[0].number())
    case .money: return .money(try parts[0].number(), currency: try currency(parts[1]))
    case .day: return .day(try day(parts[0]))
    case .instant: return .instant(try instant(parts[0]))
    case .age: return context.report.isAnonymous ? .missing : .count(try parts[0].count())
    case .seen:
      let at = try instant(parts[0])
      let beyondHour = context.report.isAnonymous ? at.microseconds % 3_600_000_000 : 0
      return .instant(Instant(microseconds: at.microseconds - beyondHour))
    case .stars: return .stars(try parts[0].count(from: 1, to: 5))
    case .trend: return .trend(try trend(parts[0]))
    case .level:
      let level = try parts[0].word(Level.self)
      return try covered(try parts[1].text(), context).map { .level(level, $0) } ?? .missing
    case .feature: return .text(try title(parts[0], isTotal: isTotal))
    case .text, .code, .userId, .name, .city, .segment: return try words(parts[0], context)
    }
  }

  private func compound(
    _ parts: [QueryValue], _ basis: SectionQuery.Basis, _ context: QueryContext
  ) throws -> Cell {
    switch self {
    case .ratio: return .ratio(try Self.ratio(parts[0], parts[1], mayExceed: true))
    case .rate: return .rate(try Self.ratio(parts[0], parts[1]))
    case .points:
      return .points(
        from: try Self.ratio(parts[0], parts[1]), to: try Self.ratio(parts[2], parts[3]))
    case .mean: return .mean(Mean(total: try parts[0].count(), count: try parts[1].count(from: 0)))
    default:
      let (previous, now) = (try parts[1].count(), try parts[0].count())
      let comparison = context.comparison
      let change =
        basis == .events
        ? comparison.change(ofEvents: previous, to: now)
        : comparison.change(from: previous, to: now)
      return change.change.map(Cell.change) ?? .missing
    }
  }

  /// A part is not below 0; that of a rate not above its whole, since it is a chance.
  static func ratio(
    _ part: QueryValue, _ whole: QueryValue, mayExceed: Bool = false
  ) throws -> Ratio {
    let whole = try whole.count(from: 0)
    return Ratio(try part.count(from: 0, to: mayExceed ? QueryValue.largest : whole), of: whole)
  }

  private func words(_ part: QueryValue, _ context: QueryContext) throws -> Cell {
    let text = try part.text()
    let isCovered = context.report.isAnonymous
    switch self {
    case .userId:
      guard isCovered else { return .code(text) }
      return context.cover.map { .code($0.user(text)) } ?? .missing
    case .name, .city: return isCovered ? .missing : .text(text)
    default:
      let shown = try covered(text, context)
      return shown.map { self == .code ? .code($0) : .text($0) } ?? .missing
    }
  }

  /// Without people's ids and addresses in an anonymous report; nil in one without a cover.
  private func covered(_ text: String, _ context: QueryContext) throws -> String? {
    try context.report.isAnonymous ? context.cover?.text(text) : text
  }

  private func title(_ part: QueryValue, isTotal: Bool) throws -> String {
    if isTotal, part.value == .text(Self.all) { return Self.all.capitalizedFirst }
    guard self == .segment else { return try part.word(Feature.self).title }
    return UserType.title(of: part.isNull ? nil : try part.word(UserType.self))
  }

  /// What a total row names in the place of a feature or segment.
  static let all = "all"

  private func currency(_ part: QueryValue) throws -> String {
    let wanted = "a currency of three capital letters, such as USD, or a sign"
    let text = try part.text(wanted)
    guard text.wholeMatch(of: /[^\d\s]{1,4}/) != nil else { throw part.refusal(wanted) }
    return text
  }

  private func day(_ part: QueryValue) throws -> CivilDay {
    let wanted = "a day such as 2026-03-02"
    guard let day = CivilDay(iso8601: try part.text(wanted)) else { throw part.refusal(wanted) }
    return day
  }

  /// From 1900 to 2200, so that other units than microseconds are told.
  private func instant(_ part: QueryValue) throws -> Instant {
    guard case .integer(let microseconds) = part.value,
      (-2_208_988_800_000_000...7_258_118_400_000_000).contains(microseconds)
    else { throw part.refusal("an instant in microseconds since 1970") }
    return Instant(microseconds: microseconds)
  }

  private func trend(_ part: QueryValue) throws -> [Int?] {
    let wanted = "a JSON list of whole numbers or null"
    let text = Data(try part.text(wanted).utf8)
    guard let counts = try? JSONDecoder().decode([Int?].self, from: text),
      counts.allSatisfy({ ($0 ?? 0).magnitude <= QueryValue.largest })
    else { throw part.refusal(wanted) }
    return counts
  }
}
