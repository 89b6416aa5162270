import Foundation
package import Model

/// The rows of a result, read by the columns of its query.
struct QueryRows {
  /// A row that was read.
  struct Row {
    /// One a column of the query.
    var cells: [Cell]
    var isTotal: Bool
    var isGap: Bool
    /// Which checks are true of it, in their order.
    var fails: [Bool]
  }

  let query: SectionQuery
  let result: SQLResult
  let context: QueryContext
  /// The places of the result's columns by their names.
  private let places: [String: Int]
  /// The places of each column's parts.
  private let parts: [[Int]]

  /// - Throws: `QueryFault` when the result lacks a column, or has it twice.
  init(_ query: SectionQuery, _ result: SQLResult, _ context: QueryContext) throws(QueryFault) {
    self.query = query
    self.result = result
    self.context = context
    if let fault = query.fault(inColumns: result.columns) { throw fault }
    let places = Dictionary(
      result.columns.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
    self.places = places
    parts = query.columns.map { $0.parts.compactMap { places[$0] } }
  }

  /// - Throws: `QueryFault` for the first value of another kind, and what a pseudonymizer throws.
  func rows() throws -> [Row] {
    try result.rows.indices.map(row)
  }

  private func row(_ index: Int) throws -> Row {
    let isTotal = try reading(index) { try isSet(SectionQuery.isTotalColumn, in: index) }
    let cells = try zip(query.columns, parts).map { column, places in
      let values = places.map {
        QueryValue(column: result.columns[$0], value: value($0, in: index))
      }
      return try reading(index) {
        try column.unit.cell(of: values, basis: query.basis, in: context, isTotal: isTotal)
      }
    }
    return Row(
      cells: cells, isTotal: isTotal,
      isGap: try reading(index) { try isSet(SectionQuery.isGapColumn, in: index) },
      fails: query.checks.indices.map { check in
        places[SectionQuery.checkColumn(check)].map { value($0, in: index).isTrue } ?? false
      })
  }

  private func value(_ place: Int, in row: Int) -> SQLValue {
    result.rows[row].indices.contains(place) ? result.rows[row][place] : .null
  }

  /// The value of a column that may be missing, under its name.
  func value(of column: String, in row: Int) -> QueryValue? {
    places[column].map { QueryValue(column: column, value: value($0, in: row)) }
  }

  private func isSet(_ column: String, in row: Int) throws -> Bool {
    guard let value = value(of: column, in: row), !value.isNull else { return false }
    return try value.count(from: 0, to: 1) == 1
  }

  /// Turns a wrong value into a fault that names its row.
  ///
  /// The value itself may name a person, so an anonymous report does not repeat it.
  func reading<Value>(_ row: Int, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let wrong as WrongValue {
      let found = context.report.isAnonymous ? "what it is" : wrong.value.described
      throw query.fault(
        "must be \(wrong.wanted), not \(found)", row: row + 1, column: wrong.column)
    }
  }

  /// The sentence in a column of the first row; nil without one, and for an own query where no
  /// person may be named.
  ///
  /// - Throws: `QueryFault` for another value.
  func sentence(_ column: String, about rows: [Row]) throws -> String? {
    guard !rows.isEmpty, !(context.report.isAnonymous && query.isOwn),
      let value = value(of: column, in: 0), !value.isNull
    else { return nil }
    return filled(try reading(0) { try value.text() }, from: rows)
  }

  /// The text with what the column of verdicts says: `{verdict 2}` stands for that of row 2, and
  /// `{verdicts}` for what is proven: `3.2.1 higher`.
  private func filled(_ text: String, from rows: [Row]) -> String {
    guard let place = query.columns.firstIndex(where: { $0.unit == .verdict }) else { return text }
    let verdicts = rows.map { row in
      if case .text(let verdict) = row.cells[place] { verdict } else { "not known" }
    }
    let proven = zip(rows, verdicts)
      .filter { [.higher, .lower].contains(ShareVerdict(rawValue: $1)) }
      .map { "\(context.words.words($0.cells[0])) \($1)" }
    let filled = text.replacing(
      "{verdicts}",
      with: proven.isEmpty ? "no difference is proven" : proven.joined(separator: ", "))
    return verdicts.enumerated().reduce(filled) {
      $0.replacing("{verdict \($1.offset + 1)}", with: $1.element)
    }
  }

  /// The number of rows in the workspace when the result says that it holds fewer.
  func totalCount() throws -> Int? {
    guard !result.rows.isEmpty, let value = value(of: SectionQuery.totalCountColumn, in: 0),
      !value.isNull
    else { return nil }
    return try reading(0) { max(try value.count(from: 0), result.rows.count) }
  }
}

extension SectionQuery {
  /// Why a result with these columns cannot be read; nil when it can.
  package func fault(inColumns names: [String]) -> QueryFault? {
    for name in columns.flatMap(\.parts) {
      switch names.count(where: { $0 == name }) {
      case 1: continue
      case 0:
        let hint = ClosestName.hint(for: name, among: names)
        return fault("the query gives no such column; the header needs it.\(hint)", column: name)
      default: return fault("the query gives this column twice; name it once", column: name)
      }
    }
    return nil
  }
}

extension SQLValue {
  /// Whether SQLite takes it for true; a text is not.
  fileprivate var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    case .null, .text, .blob: false
    }
  }
}

/// What stands for people in an anonymous report: docs/reports.md#anonymous.
package struct QueryPseudonymizer {
  /// The pseudonym of a user's id.
  let user: (String) -> String
  /// A text in which users' ids and addresses are replaced.
  let text: (String) throws -> String
}

/// What the cells of a report's queries are made with.
package struct QueryContext {
  let report: ReportContext
  let parameters: [BoundParameter]
  /// Nil shows people as they are; an anonymous report without a pseudonymizer leaves them out.
  let pseudonymizer: QueryPseudonymizer?
  let calendar: ReportCalendar
  let words: CellWords
  let comparison: ComparisonWords

  package init(
    _ report: ReportContext, parameters: [BoundParameter] = [],
    pseudonymizer: QueryPseudonymizer? = nil
  ) {
    self.report = report
    self.parameters = parameters
    self.pseudonymizer = pseudonymizer
    calendar = ReportCalendar(timeZone: report.timeZone)
    words = CellWords(time: TimeWords(context: report))
    comparison = ComparisonWords(report)
  }

  func source(of query: SectionQuery) -> QuerySource {
    QuerySource(
      name: query.name, sql: query.isOwn && report.isAnonymous ? nil : query.sql,
      parameters: parameters, definitions: query.definitions)
  }

  /// In an anonymous report only the place of a fault is named: its words may name a person.
  func words(of fault: QueryFault) -> String {
    report.isAnonymous ? "\(fault.placeWords): failed." : fault.description
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

  /// The largest number either way.
  static let largest = Int(EventValue.largestShown)

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
        case (true, true) where number == nil: ""
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
  /// The value, for messages: `the text 'many'`.
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
    case .ratio, .rate, .points, .verdict, .mean, .change:
      return try compound(parts, basis, context)
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
    case .points, .verdict:
      let (earlier, later) = (
        try Self.ratio(parts[0], parts[1]), try Self.ratio(parts[2], parts[3])
      )
      guard self == .verdict else { return .points(from: earlier, to: later) }
      return .optional(ShareVerdict(from: earlier, to: later)?.rawValue)
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
      return context.pseudonymizer.map { .code($0.user(text)) } ?? .missing
    case .name, .city: return isCovered ? .missing : .text(text)
    default:
      let shown = try covered(text, context)
      return shown.map { self == .code ? .code($0) : .text($0) } ?? .missing
    }
  }

  /// Without people's ids and addresses in an anonymous report; nil in one without a pseudonymizer.
  private func covered(_ text: String, _ context: QueryContext) throws -> String? {
    try context.report.isAnonymous ? context.pseudonymizer?.text(text) : text
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

  /// From 1900 to 2200, so that other units than microseconds are noticed.
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
