import ArgumentParser
import Feeds
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a table, a view or a query as CSV, NDJSON, Parquet or SQLite.",
    discussion: """
      Reads one snapshot, row by row, and blocks no job. Writes to standard output, or with --to \
      to a file that appears once it is complete. Without --format the file's ending decides: \
      .csv, .ndjson, .parquet, .sqlite, or .csv.gz and .ndjson.gz.
      """,
    examples: [
      "firetally export OnlineUsers --to users.csv",
      "firetally export v_events --to events.ndjson.gz",
      #"firetally export "SELECT user_id FROM v_users" --to ids.parquet"#,
      "firetally export OnlineUsers --table users --to users.sqlite",
      "firetally export --relations report.sqlite",
      "firetally export events --since 2026-01-25 --format parquet --to lines",
    ])

  @Argument(
    help: "A table, a view, or one SELECT in quotes.", completion: NameCompletion.tables)
  var query: String?

  @Option(
    help: ArgumentHelp(
      "Write the relations that the report's queries read into an SQLite file.",
      valueName: "file"),
    completion: .file())
  var relations: String?

  @Option(help: "The output format. Default: by the file's ending, else csv.")
  var format: ExportFormat?

  @Flag(help: "Compress with gzip; in Parquet the pages.")
  var gzip = false

  @Option(
    help: ArgumentHelp("The file to write or replace; - is standard output.", valueName: "file"),
    completion: .file())
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The table of an SQLite file. Default: the name of the exported table, else 'query'.",
      valueName: "name"))
  var table: String?

  @Option(
    help: ArgumentHelp(
      "Write a file for each day from this one to yesterday into the folder of --to.",
      valueName: "day"))
  var since: CivilDay?

  @Option(
    help: ArgumentHelp(
      "With --since: the column of times that decides the day. Default: the first one.",
      valueName: "column"))
  var by: String?

  @OptionGroup var counting: PlatformOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard since == nil else { return try validateDays() }
    guard by == nil else { throw ValidationError("--by is for --since.") }
    if let relations {
      guard !["", "-"].contains(relations) else {
        throw ValidationError(
          "An SQLite file cannot be written to standard output: give --relations FILE.")
      }
      guard query == nil, to == nil, format == nil, table == nil, !gzip else {
        throw ValidationError(
          "Use --relations FILE alone: leave out the query, --to, --format, --table and --gzip.")
      }
      return
    }
    guard let query, !query.isEmpty else {
      throw ValidationError("Name a table, or give a SELECT.")
    }
    let target = target
    if let ending = target.unknownEnding, format == nil {
      throw ValidationError(
        "The ending .\(ending) names no format: give --format csv, ndjson, parquet or sqlite.")
    }
    guard target.format == .sqlite else {
      guard table == nil else { throw ValidationError("--table is for --format sqlite.") }
      return
    }
    guard target.file != nil else {
      throw ValidationError("An SQLite file cannot be written to standard output: give --to FILE.")
    }
    guard !(table ?? "").lowercased().hasPrefix("sqlite_"), table != "" else {
      throw ValidationError("--table needs a name that does not begin with sqlite_.")
    }
  }

  func run() throws {
    let (invocation, opened) = try global.openWorkspace()
    if let relations { return try write(relations: relations, invocation, opened) }
    let store = try opened.readableStore()
    if let since { return try writeDays(since: since, store, invocation, opened) }
    let target = target
    guard let file = target.file else {
      let count = try writeToStandardOutput(store, target)
      return invocation.log.debug("\(NumberWords.counted(count, "row")) written.")
    }
    let count = try write(store, target, toFile: file, mode: opened.config.outputMode)
    try invocation.output.remark(
      "\(NumberWords.counted(count, "row")) written to \(file)",
      json: ["message_type": "export", "file": file, "format": target.format, "rows": count])
  }

  private func write(
    relations file: String, _ invocation: Invocation, _ opened: OpenWorkspace
  ) throws {
    let catalog = try opened.workspace.jobs()
    let context = try invocation.context(
      opened, store: try opened.readableStore(), catalog: catalog)
    let queries = try ReportQueries(
      .last(in: catalog.jobs, counting: counting.platform), context)
    let count = try queries.writeRelations(to: file)
    try invocation.output.remark(
      "\(NumberWords.counted(count, "row")) written to \(file)",
      json: ["message_type": "export", "file": file, "format": "sqlite", "rows": count])
  }

  private var target: ExportTarget { ExportTarget(to: to, format: format, isGzip: gzip) }

  private func write(
    _ store: Store, _ target: ExportTarget, toFile file: String, mode: FileMode
  ) throws -> Int {
    guard target.format == .sqlite else {
      return try reading(store) { try target.write($0, to: file, mode: mode) }
    }
    let draft = try DraftFile(for: file, mode: mode)
    let count = try reading(store) { query in
      try query.copyRows(
        toDatabase: draft.temporary, table: table ?? query.table ?? "query", named: file)
    }
    guard target.isGzip else {
      try draft.finish()
      return count
    }
    let compressed = try DraftFile(for: file, mode: mode)
    try Gzip.compress(draft.temporary, into: compressed.descriptor, at: file)
    try compressed.finish()
    return count
  }

  /// Writes the rows to standard output, and returns their number.
  private func writeToStandardOutput(_ store: Store, _ target: ExportTarget) throws -> Int {
    let output = try OutputBytes(
      descriptor: STDOUT_FILENO, path: "standard output",
      isGzip: target.isGzip && target.format != .parquet)
    if target.isText { output.filter = { StandardStream.output.harmless($0) } }
    do {
      return try reading(store) { try target.write($0, to: output) }
    } catch FeedError.cannotWrite {
      throw CommandError.outputLost(.init(stream: .output, code: output.failureCode))
    }
  }

  func reading<Result>(
    _ store: Store, _ body: (ExportQuery) throws -> Result
  ) throws -> Result {
    try snapshot(store) { try body(try $0.exportQuery(query ?? "")) }
  }

  /// Reads one snapshot, with the errors of queries and names as those of the command.
  func snapshot<Result>(_ store: Store, _ body: (Reader) throws -> Result) throws -> Result {
    try store.read { reader in
      do {
        return try body(reader)
      } catch let problem as QueryProblem {
        guard case .wrong(let message) = problem.reason,
          let name = QueryProblem.missingTable(in: message)
        else { throw CommandError.query(problem, query ?? "", path: nil, tables: []) }
        throw RelationTables.areNamed(in: name)
          ? CommandError.relation(name)
          : CommandError.noSuchTable(name, known: try reader.exportableNames())
      }
    }
  }
}

enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Encodable {
  case csv, ndjson, parquet, sqlite

  /// Returns the format for a file's extension, in upper or lower case; nil for others.
  init?(ending: some StringProtocol) {
    switch ending.lowercased() {
    case "csv": self = .csv
    case "ndjson", "jsonl", "nl": self = .ndjson
    case "parquet": self = .parquet
    case "sqlite", "sqlite3", "db": self = .sqlite
    default: return nil
    }
  }
}

/// The destination of an export, and its format.
struct ExportTarget: Hashable {
  /// Nil for standard output.
  let file: String?
  let format: ExportFormat
  let isGzip: Bool
  /// The file's extension if it means no format; nil without one.
  let unknownEnding: String?

  /// Returns the target of files in a folder, whose name decides nothing.
  init(inFolder format: ExportFormat?, isGzip: Bool) {
    file = nil
    unknownEnding = nil
    self.format = format ?? .csv
    self.isGzip = isGzip
  }

  /// The extension of its files.
  var ending: String { format.rawValue + (isGzip && format != .parquet ? ".gz" : "") }

  /// Derives missing options from the file's extension.
  init(to: String?, format: ExportFormat?, isGzip: Bool) {
    file = to == "-" ? nil : to
    var endings = (file ?? "").split(separator: "/").last?.split(separator: ".").dropFirst() ?? []
    let hasGzipEnding = endings.last?.lowercased() == "gz"
    if hasGzipEnding { endings.removeLast() }
    let meant = endings.last.flatMap(ExportFormat.init(ending:))
    unknownEnding = meant == nil ? endings.last.map(String.init) : nil
    self.format = format ?? meant ?? .csv
    self.isGzip = isGzip || hasGzipEnding
  }

  /// Whether the output is readable text.
  fileprivate var isText: Bool { !isGzip && [.csv, .ndjson].contains(format) }

  /// Writes the rows of a query into a file, which appears once it is complete.
  ///
  /// - Precondition: the format is not SQLite.
  func write(_ query: ExportQuery, to file: String, mode: FileMode) throws -> Int {
    let draft = try DraftFile(for: file, mode: mode)
    let count = try write(query, types: try types(of: query), to: draft, named: file)
    try draft.finish()
    return count
  }

  /// Writes the rows of a query into a draft; there are types for Parquet alone.
  func write(
    _ query: ExportQuery, types: [ParquetType], to draft: DraftFile, named file: String
  ) throws -> Int {
    let output = try OutputBytes(
      descriptor: draft.descriptor, path: file, isGzip: isGzip && format != .parquet)
    return try write(query, types: types, to: output)
  }

  fileprivate func write(_ query: ExportQuery, to output: OutputBytes) throws -> Int {
    try write(query, types: try types(of: query), to: output)
  }

  private func write(
    _ query: ExportQuery, types: [ParquetType], to output: OutputBytes
  ) throws -> Int {
    var writer = try writer(of: query, types: types, to: output)
    var count = 0
    try query.forEachRow { row in
      try writer.write(row)
      count += 1
    }
    try writer.finish()
    return count
  }

  /// Returns the types of Parquet that hold all values of a query, which runs for them; none for
  /// other formats.
  func types(of query: ExportQuery) throws -> [ParquetType] {
    guard format == .parquet else { return [] }
    var check = ParquetSurvey(query.columns)
    try query.forEachRow { check.add($0) }
    return check.types
  }

  /// Returns a writer of any format except SQLite.
  private func writer(
    of query: ExportQuery, types: [ParquetType], to output: OutputBytes
  ) throws -> any TableWriter {
    switch format {
    case .csv, .sqlite: return try CSVTable(query.columns, to: output)
    case .ndjson: return NDJSONTable(query.columns, to: output)
    case .parquet:
      return try ParquetTable(
        query.columns, types: types, to: output, isGzip: isGzip,
        program: "firetally \(ProgramVersion.current)")
    }
  }
}
