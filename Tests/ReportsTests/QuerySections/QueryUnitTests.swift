import ReportsTesting
import Testing

@testable import Model
@testable import Reports

/// The units of docs/figures.md#units.
@Suite struct QueryUnitTests {
  private static func row(
    _ unit: QueryUnit, _ values: [SQLValue], _ context: ReportContext = SampleReports.context,
    pseudonymizer: QueryPseudonymizer? = nil
  ) throws -> Cell {
    let column = QueryColumn("c", "C", unit)
    let query = SampleQueries.query([column])
    let result = SQLResult(columns: column.parts, rows: [values])
    let rows = try QueryRows(
      query, result, SampleQueries.context(context, pseudonymizer: pseudonymizer)
    ).rows()
    return try #require(rows.first?.cells.first)
  }

  @Test(arguments: [
    (QueryUnit.text, [SQLValue.text("x")], Cell.text("x")),
    (.code, ["1.2"], .code("1.2")),
    (.count, [0], .count(0)), (.count, [-7], .count(-7)), (.count, [3.0], .count(3)),
    (.ratio, [3, 40], .ratio(Ratio(3, of: 40))), (.ratio, [50, 40], .ratio(Ratio(50, of: 40))),
    (.rate, [40, 40], .rate(Ratio(40, of: 40))), (.rate, [0, 0], .rate(Ratio(0, of: 0))),
    (.points, [1, 2, 3, 4], .points(from: Ratio(1, of: 2), to: Ratio(3, of: 4))),
    (.verdict, [10, 100, 30, 100], .text("higher")),
    (.verdict, [30, 100, 10, 100], .text("lower")),
    (.verdict, [1, 2, 3, 4], .text("not proven")), (.verdict, [0, 0, 3, 4], .missing),
    (.mean, [14, 4], .mean(Mean(total: 14, count: 4))),
    (.change, [12, 10], .change(PeriodChange(from: 10, to: 12))),
    (.seconds, [2], .seconds(2)), (.seconds, [0.5], .seconds(0.5)),
    (.money, [2.5, "EUR"], .money(2.5, currency: "EUR")),
    (.day, ["2026-03-02"], .day(CivilDay(year: 2026, month: 3, day: 2))),
    (.day, ["2024-02-29"], .day(CivilDay(year: 2024, month: 2, day: 29))),
    (.instant, [1_772_409_600_000_000], .instant(Instant(unixSeconds: 1_772_409_600))),
    (.stars, [1], .stars(1)), (.stars, [5], .stars(5)),
    (.trend, ["[1, null, 3]"], .trend([1, nil, 3])), (.trend, ["[]"], .trend([])),
    (.level, ["warn", "late"], .level(.warn, "late")),
    (.userId, ["ann"], .code("ann")), (.name, ["Ann"], .text("Ann")),
    (.city, ["Ulm"], .text("Ulm")), (.age, [27], .count(27)),
    (.seen, [1_772_409_659_000_000], .instant(Instant(unixSeconds: 1_772_409_659))),
    (.feature, ["refresh"], .text("Refresh")),
    (.segment, ["lite_subscriber"], .text("Subscriber")), (.segment, [nil], .text("Not told")),
  ])
  func `each unit reads its parts`(unit: QueryUnit, values: [SQLValue], cell: Cell) throws {
    #expect(try Self.row(unit, values) == cell)
  }

  @Test(arguments: QueryUnit.allCases.filter { $0 != .segment })
  func `a part that is NULL makes every unit but the segment missing`(unit: QueryUnit) throws {
    for index in unit.endings.indices {
      var parts: [SQLValue] = unit.endings.map { _ in 1 }
      parts[index] = nil
      #expect(try Self.row(unit, parts) == .missing)
    }
  }

  @Test(arguments: [
    (QueryUnit.text, [SQLValue.integer(5)], "c", "text, not the integer 5"),
    (.code, [.blob([1, 2])], "c", "text, not a blob of 2 bytes"),
    (.count, ["many"], "c", "a whole number, not the text 'many'"),
    (.count, [1.5], "c", "a whole number, not the number 1.5"),
    (
      .count, [.integer(.min)], "c",
      "a whole number from -1000000000000000 to 1000000000000000, not the integer "
        + "-9223372036854775808"
    ),
    (
      .count, [1_000_000_000_000_001], "c",
      "a whole number from -1000000000000000 to 1000000000000000, not the integer 1000000000000001"
    ),
    (.ratio, [-1, 5], "c_part", "a whole number from 0, not the integer -1"),
    (.ratio, [1, -5], "c_whole", "a whole number from 0, not the integer -5"),
    (.rate, [6, 5], "c_part", "a whole number from 0 to 5, not the integer 6"),
    (.points, [1, 2, 5, 4], "c_to_part", "a whole number from 0 to 4, not the integer 5"),
    (.verdict, [1, 2, 5, 4], "c_to_part", "a whole number from 0 to 4, not the integer 5"),
    (.mean, [1, -1], "c_count", "a whole number from 0, not the integer -1"),
    (.change, ["1", 2], "c_now", "a whole number, not the text '1'"),
    (.seconds, [.real(.infinity)], "c", "a number, not the number inf"),
    (.money, [1, "euros"], "c_currency", "a currency of three capital letters"),
    (.day, ["2026-02-29"], "c", "a day such as 2026-03-02, not the text '2026-02-29'"),
    (.day, ["2026-2-9"], "c", "a day such as 2026-03-02"),
    (.instant, [.integer(.max)], "c", "an instant in microseconds since 1970"),
    (.instant, [1_772_409_600_000.0], "c", "an instant in microseconds since 1970"),
    (.stars, [0], "c", "a whole number from 1 to 5, not the integer 0"),
    (.stars, [6], "c", "a whole number from 1 to 5, not the integer 6"),
    (.trend, ["[1, \"x\"]"], "c", "a JSON list of whole numbers or null"),
    (.trend, ["[1.5]"], "c", "a JSON list of whole numbers or null"),
    (.level, ["bad", "x"], "c", "one of pass, notice, warn, error, not the text 'bad'"),
    (.level, ["warn", 1], "c_words", "text, not the integer 1"),
    (.feature, ["flying"], "c", "one of refresh, filter, search"),
    (.segment, ["free"], "c", "one of lite_subscriber, new_user, free_user"),
  ])
  func `a value of another kind is refused with file, row, column and value`(
    unit: QueryUnit, values: [SQLValue], column: String, words: String
  ) {
    let fault = #expect(throws: QueryFault.self) { try Self.row(unit, values) }
    #expect((fault?.row, fault?.column) == (1, column))
    let place = "reports/sample.sql:1: row 1, column '\(column)': must be "
    #expect(fault?.description.hasPrefix(place + words) == true, "\(fault?.description ?? "")")
  }

  @Test func `people are covered in an anonymous report, and left out without a cover`() throws {
    let anonymous = SampleQueries.anonymous
    func cell(_ unit: QueryUnit, _ pseudonymizer: QueryPseudonymizer?) throws -> Cell {
      try Self.row(unit, ["ann"], anonymous, pseudonymizer: pseudonymizer)
    }
    #expect(try cell(.userId, SampleQueries.pseudonymizer) == .code("user-3"))
    #expect(try cell(.name, SampleQueries.pseudonymizer) == .missing)
    #expect(try cell(.city, SampleQueries.pseudonymizer) == .missing)
    #expect(try cell(.text, SampleQueries.pseudonymizer) == .text("[id]"))
    #expect(try cell(.code, SampleQueries.pseudonymizer) == .code("[id]"))
    func level(_ pseudonymizer: QueryPseudonymizer?) throws -> Cell {
      try Self.row(.level, ["warn", "ann waits"], anonymous, pseudonymizer: pseudonymizer)
    }
    #expect(try level(SampleQueries.pseudonymizer) == .level(.warn, "[id] waits"))
    #expect(try level(nil) == .missing)
    for unit in [QueryUnit.userId, .name, .city, .text, .code] {
      #expect(try cell(unit, nil) == .missing)
    }
  }

  @Test func `an anonymous report has no age of a person, and the hour alone of when it was seen`()
    throws
  {
    func cell(_ unit: QueryUnit, _ value: SQLValue) throws -> Cell {
      try Self.row(
        unit, [value], SampleQueries.anonymous, pseudonymizer: SampleQueries.pseudonymizer)
    }
    #expect(try cell(.age, 27) == .missing)
    let hour = Instant(unixSeconds: 1_772_409_600)
    for seconds in [0, 1, 3_599] {
      let seen = (hour + .seconds(seconds)).microseconds
      #expect(try cell(.seen, .integer(seen)) == .instant(hour))
    }
    let next = hour + .seconds(3_600)
    #expect(try cell(.seen, .integer(next.microseconds)) == .instant(next))
  }

  @Test func `a fault of an anonymous report repeats no value`() {
    let fault = #expect(throws: QueryFault.self) {
      try Self.row(.count, ["ann@example.com"], SampleQueries.anonymous)
    }
    #expect(fault?.description.contains("ann") == false)
  }

  @Test func `changes are blank where events cannot be compared, and stay for records`() throws {
    var context = SampleReports.context
    context.comparisonFault = .emptyLedger
    #expect(try Self.row(.change, [12, 10], context) == .missing)
    var query = SampleQueries.query([QueryColumn("c", "C", .change)])
    query.basis = .records
    let result = SQLResult(columns: ["c_now", "c_previous"], rows: [[12, 10]])
    let rows = try QueryRows(query, result, SampleQueries.context(context)).rows()
    #expect(rows[0].cells == [.change(PeriodChange(from: 10, to: 12))])
  }

  @Test func `a total row names all features and segments, another row may not`() throws {
    let query = SampleQueries.query([
      QueryColumn("feature", "Feature", .feature), QueryColumn("segment", "Segment", .segment),
    ])
    func cells(isTotal: SQLValue) throws -> [Cell] {
      let result = SampleQueries.result([
        "feature": "all", "segment": "all", "is_total": isTotal,
      ])
      return try QueryRows(query, result, SampleQueries.context()).rows()[0].cells
    }
    #expect(try cells(isTotal: 1) == [.text("All"), .text("All")])
    #expect(throws: QueryFault.self) { try cells(isTotal: 0) }
    #expect(throws: QueryFault.self) { try cells(isTotal: 2) }
  }

  @Test func `every day of the calendar has its weekday`() {
    let sample = SampleReports.context
    let calendar = ReportCalendar(timeZone: "UTC")
    for day in calendar.days(from: sample.now - .seconds(86_400 * 800), to: sample.now) {
      #expect(CivilDay(iso8601: day.iso8601) == day)
    }
    for text in ["2026-13-01", "2026-00-01", "2026-04-31", "0000-01-01", "2026-01-00", "x"] {
      #expect(CivilDay(iso8601: text) == nil)
    }
    #expect(CivilDay(iso8601: "2000-02-29") != nil)
    #expect(CivilDay(iso8601: "1900-02-29") == nil)
  }
}
