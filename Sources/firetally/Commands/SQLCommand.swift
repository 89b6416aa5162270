import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Workspace

struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Run a query of your own on the stored data and print its rows.",
    discussion: """
      Reads one snapshot, takes no lock and cannot write. :start, :end, :now and :time_zone have \
      the report's values. `firetally schema` lists tables, views and relations.

      Exit status: 0 success, also without rows; 3 more than 10,000 rows, without --limit; 64 \
      the query is wrong, or 65 in a file; 1 it took too long.
      """,
    examples: [
      #"firetally sql "SELECT user_country, count(*) FROM v_users GROUP BY 1""#,
      #"firetally sql "SELECT * FROM v_events WHERE at >= :start" --format csv"#,
      "firetally sql --file countries.sql --format json",
      #"firetally sql "SELECT count(*) FROM Orders" --as-of 2026-01-30"#,
    ])

  static let timeouts: ClosedRange<Duration> = .seconds(1)...Duration.seconds(3_600)
  static let limits = 1...100_000

  @Argument(help: ArgumentHelp("One SELECT in quotes; - is standard input.", valueName: "query"))
  var query: String?

  @Option(
    help: ArgumentHelp("Read the query from a file; - is standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(help: "The output format. Default: table.")
  var format: QueryFormat?

  @Option(parsing: .unconditional, help: "Rows at most, 1 to 100000. Default: 10000.")
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Stop the query after this time, 1s to 1h, such as 90s. Default: 10s.", valueName: "time"),
    transform: Self.timeout)
  var timeout: Duration?

  @Option(
    help: ArgumentHelp(
      "Show tables with a history as they were: 2026-11-01, 2026-11-01T08:00:00Z.",
      valueName: "time"),
    transform: Self.moment)
  var asOf: Instant?

  @OptionGroup var counting: PlatformOption

  @OptionGroup var global: GlobalOptions

  private static func moment(_ text: String) throws -> Instant {
    guard let time = Instant(iso8601: text) ?? Instant(iso8601: "\(text)T00:00:00Z") else {
      throw ValidationError("--as-of takes a date or a time such as 2026-11-01T08:00:00Z.")
    }
    return time
  }

  private static func timeout(_ text: String) throws -> Duration {
    guard let timeout = DurationText.duration(text), timeouts.contains(timeout) else {
      throw ValidationError(
        "--timeout takes a time from \(DurationText.text(timeouts.lowerBound)) to "
          + "\(DurationText.text(timeouts.upperBound)), such as 90s or 5m.")
    }
    return timeout
  }

  func validate() throws {
    guard (query == nil) != (file == nil) else {
      throw ValidationError("Give one query in quotes, or --file FILE.")
    }
    try Self.limits.check(limit, "--limit")
  }

  /// The path of the file to read; nil for a query on the command line.
  private var path: String? { file ?? (query == QueryFile.standardInput ? query : nil) }

  func run() throws {
    let (invocation, opened) = try global.openWorkspace()
    let sql = try path.map { try QueryFile.text(of: $0) } ?? query ?? ""
    let catalog = try opened.workspace.jobs()
    let queries = try ReportQueries(
      .last(in: catalog.jobs, counting: counting.platform),
      try invocation.context(opened, store: try opened.readStoreOrEmpty(), catalog: catalog))
    do {
      let (bytes, isCut) = try answer(to: sql, queries, isJSON: invocation.output.isJSON)
      try invocation.output.print(bytes: StandardStream.output.harmless(bytes))
      if isCut { try tellOfTheRest(invocation) }
    } catch let problem as QueryProblem {
      throw CommandError.query(
        problem, sql, path: path, tables: try queries.tables(),
        columns: try columns(near: problem, sql, queries))
    }
  }

  /// Returns the output, and whether rows were left out.
  ///
  /// It ends the program if a query exceeds its time, since SQLite cannot interrupt a function.
  private func answer(
    to sql: String, _ queries: ReportQueries, isJSON: Bool
  ) throws -> (bytes: [UInt8], isCut: Bool) {
    let limits = queryLimits
    var deadline: Deadline?
    defer { deadline?.callOff() }
    var result = try queries.result(of: sql, within: limits, asOf: asOf) {
      deadline = Deadline(after: .seconds(limits.seconds), grace: Self.grace) { [path] in
        let problem = QueryProblem(.tooLong(seconds: limits.seconds))
        _exit(Failure(CommandError.query(problem, sql, path: path, tables: [])).report())
      }
    }
    let isCut = result.rows.count > rowLimit
    if isCut { result.rows.removeLast() }
    let printer = QueryPrinter(result: result)
    guard isJSON, format == nil else { return (try printer.bytes(as: format ?? .table), isCut) }
    return (try printer.messages(), isCut)
  }

  /// How long a function on long texts, or a table of long texts, may exceed the time limit.
  private static let grace = Duration.milliseconds(500)

  /// Returns the columns to suggest when a query names a missing one.
  private func columns(
    near problem: QueryProblem, _ sql: String, _ queries: ReportQueries
  ) throws -> [String] {
    guard case .wrong(let message) = problem.reason,
      QueryProblem.missingColumn(in: message) != nil
    else { return [] }
    return try queries.columns(ofTablesIn: sql)
  }

  private var rowLimit: Int { limit ?? QueryLimits().rows }

  /// The limits of the query: one row more than is printed, which shows whether there are more.
  private var queryLimits: QueryLimits {
    var limits = QueryLimits(rows: rowLimit + 1, cutsRows: true)
    if let timeout { limits.seconds = Double(timeout.components.seconds) }
    return limits
  }

  /// Reports omitted rows: as a notice if `--limit` was given, else as a warning with status
  /// `partial`.
  private func tellOfTheRest(_ invocation: Invocation) throws {
    let sentence = "The query has more than \(NumberWords.counted(rowLimit, "row"))"
    guard limit == nil else { return invocation.noticeOnTerminal("\(sentence).") }
    invocation.log.warning("\(sentence); the others were left out. Allow more with --limit.")
    throw StatusOnly(status: .partial)
  }
}
