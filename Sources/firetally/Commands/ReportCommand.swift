import ArgumentParser
import Foundation
import Jobs
import ReportWriters
import Reports
import Store
import Subprocess
import Workspace

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the report pages from the stored data.",
    discussion: """
      Makes no request and needs no lock. Prints the path of the first page. Options you omit come \
      from the report job. Replaces the day's copy in the history only if reports, period, platform \
      and scope are the job's own.
      """,
    examples: [
      "firetally report", "firetally report usage limits --period last-week",
      "firetally report --summary --period yesterday", "firetally report --summary --html",
      "firetally report --text",
      "firetally report --check",
    ])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The reports to write; usage includes the page Money. Default: all.")
  var reports: [ReportOptions.Name] = []

  @OptionGroup var span: PeriodOptions

  @Option(
    name: .customLong("time-zone"),
    help: ArgumentHelp("Time zone of the days, for example Europe/Berlin.", valueName: "zone"))
  var timeZone: String?

  @Option(help: "Count everybody's events, ratings and feedback, or only the profile's.")
  var scope: ReportOptions.Scope?

  @OptionGroup var counting: PlatformOption

  @Flag(inversion: .prefixedNo, help: "Replace users and profiles by pseudonyms.")
  var anonymous: Bool?

  @Option(
    name: .customLong("format"), parsing: .singleValue,
    help: ArgumentHelp("A format to write. May be repeated.", valueName: "format"))
  var formats: [ReportFormat] = []

  @Flag(
    name: .customLong("single-file"), inversion: .prefixedNo,
    help: "Write all reports into one file per format.")
  var singleFile: Bool?

  @Option(help: ArgumentHelp("Folder for the pages.", valueName: "dir"))
  var output: String?

  @Option(
    help: ArgumentHelp("Your own style sheet, applied after the built-in one.", valueName: "file"))
  var styleSheet: String?

  @Flag(help: "Print the reports as text, for mail, and write no file.")
  var text = false

  @Flag(help: "Print the newest state in at most 30 lines, for a message, and write no file.")
  var summary = false

  @Flag(help: "With --summary: print it as HTML for a mail, with every finding.")
  var html = false

  @Flag(help: "Open the first page in the desktop's browser.")
  var open = false

  @Option(
    help: ArgumentHelp("Print the file of a section, such as usage/by-feature.", valueName: "name"))
  var sql: String?

  @Flag(help: "Try the queries of all sections, also those in reports/, and write no file.")
  var check = false

  func validate() throws {
    if let timeZone, !TimeZoneName.isValid(timeZone) {
      throw ValidationError("--time-zone takes an IANA name such as Europe/Berlin, or UTC.")
    }
    let writes = !formats.isEmpty || singleFile != nil || output != nil || open
    guard !((text || summary) && writes) else {
      throw ValidationError(
        "--text and --summary write nothing: leave out --format, --single-file, --output and "
          + "--open.")
    }
    guard !(summary && (text || !reports.isEmpty)) else {
      throw ValidationError("--summary is one text of all reports: leave out --text and names.")
    }
    guard !html || (summary && !global.json) else {
      throw ValidationError("--html needs --summary, and cannot be used with --json.")
    }
    let makesReport = changesContent || writes || text || summary || styleSheet != nil
    guard !(sql != nil || check) || !makesReport, sql == nil || !check else {
      throw ValidationError("Use --sql or --check alone: they make no report.")
    }
  }

  func run() async throws {
    let (invocation, opened) = try global.openWorkspace()
    if let sql { return try printSection(named: sql, of: opened.workspace, on: invocation.output) }
    let catalog = try opened.workspace.jobs()
    guard !check else {
      let queries = try ReportQueries(
        options(of: catalog.jobs),
        try invocation.context(opened, store: try opened.readStoreOrEmpty(), catalog: catalog))
      return try checkSections(of: opened, queries, on: invocation.output)
    }
    for job in catalog.broken where job.kind ?? ReportOptions.kind == ReportOptions.kind {
      invocation.log.warning(
        "\(job.name): its file is wrong, so it says nothing here: \(job.error)")
    }
    let options = options(of: catalog.jobs)
    func work(_ store: Store) throws -> ReportWork {
      ReportWork(
        options, try invocation.context(opened, store: store, catalog: catalog),
        makesCopy: !changesContent)
    }
    // An anonymous report opens the database for writing, because its first pseudonyms store their
    // key.
    guard !(summary || text) || options.isAnonymous else {
      let show = try opened.reading { store in
        try printing(try work(try store ?? .inMemory()), on: invocation.output)
      }
      return try show()
    }
    let writing = try work(try opened.store())
    guard !(summary || text) else { return try printing(writing, on: invocation.output)() }
    let result = try writing.write()
    for warning in result.warnings { invocation.log.warning(warning.sentence) }
    try invocation.output.remark(
      writing.firstFile, always: true,
      json: ["message_type": "report", "index": writing.firstFile, "summary": result.summary])
    guard open else { return }
    let opener = DesktopOpener(environment: invocation.environment, isSilent: invocation.log.isJSON)
    try await opener.open(writing.firstFile)
  }

  /// Reads the content, and returns a function that prints it.
  private func printing(_ work: ReportWork, on output: Output) throws -> () throws -> Void {
    guard summary else {
      let bytes = try work.text()
      return { output.print(String(String(decoding: bytes, as: UTF8.self).dropLast())) }
    }
    let summary = try work.summary()
    return {
      guard !html else { return try output.print(bytes: try summary.html()) }
      try output.print(String(summary.text.dropLast()), json: summary)
    }
  }

  private var changesContent: Bool {
    !reports.isEmpty || span.named != nil || timeZone != nil || scope != nil
      || counting.platform != nil || global.namedProfile != nil || anonymous != nil
      || !formats.isEmpty || singleFile != nil
  }

  /// Returns the options of the workspace's report job, overridden by the command line.
  private func options(of jobs: [Job]) -> ReportOptions {
    var options = ReportOptions.last(in: jobs, counting: counting.platform)
    if !reports.isEmpty { options.reports = reports }
    if let period = span.named { options.period = period }
    if let timeZone { options.timeZone = timeZone }
    if let scope { options.scope = scope }
    if let anonymous { options.isAnonymous = anonymous }
    if !formats.isEmpty { options.formats = formats }
    if let singleFile { options.isSingleFile = singleFile }
    if let profile = global.namedProfile { options.profile = profile }
    if let output { options.output = absolute(output) }
    if let styleSheet { options.styleSheet = absolute(styleSheet) }
    return options
  }

  /// Resolves a path of the command line against the current folder, not the workspace.
  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }
}

extension ReportOptions.Name: ExpressibleByArgument {}

extension ReportFormat: ExpressibleByArgument {}

extension ReportOptions.Scope: ExpressibleByArgument {}

extension ReportPeriod: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(argument)
  }
}

/// The desktop's program for opening pages.
private struct DesktopOpener {
  let environment: [String: String]
  /// Whether the opener's own output is suppressed, because programs could not parse it.
  let isSilent: Bool

  /// The commands of the desktops; the first available one is used.
  static let commands = ["xdg-open", "open"]

  /// - Throws: `CommandError` when no command exists, or it fails.
  func open(_ path: String) async throws {
    for command in Self.commands {
      let status: TerminationStatus
      do {
        status = try await run(command, URL(fileURLWithPath: path).path)
      } catch let error as SubprocessError where error.code == .executableNotFound {
        continue
      } catch is SubprocessError {
        throw notOpened(path, "\(command) cannot be started.")
      }
      switch status {
      case .exited(0): return
      case .exited(let number), .signaled(let number):
        throw notOpened(path, "\(command) ended with \(number).")
      }
    }
    throw notOpened(
      path, "neither \(Self.commands.joined(separator: " nor ")) is installed.")
  }

  private func notOpened(_ path: String, _ reason: String) -> CommandError {
    CommandError(
      .failed, "The page was written but could not be opened: \(reason) Open \(path) in a browser.")
  }

  private func run(_ command: String, _ path: String) async throws -> TerminationStatus {
    let keys = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
    let configuration = Configuration(
      executable: .name(command), arguments: [path],
      environment: .custom(Dictionary(uniqueKeysWithValues: keys)))
    guard !isSilent else {
      return try await Subprocess.run(configuration, output: .discarded).terminationStatus
    }
    return try await Subprocess.run(
      configuration, output: .currentStandardError, error: .currentStandardError
    ).terminationStatus
  }
}

/// The files of sections: docs/figures.md#trying-a-file.
extension ReportCommand {
  /// Prints a file unchanged, header and query.
  func printSection(
    named name: String, of workspace: Workspace, on output: Output
  ) throws {
    let entry = try workspace.sections().entry(named: name)
    if entry.source.bytes.isEmpty { _ = try entry.query.get() }
    guard output.isJSON else { return try output.print(bytes: entry.source.bytes) }
    try output.print(
      json: [
        "message_type": "section", "name": entry.name, "file": entry.source.path,
        "own": entry.isOwn, "text": String(decoding: entry.source.bytes, as: UTF8.self),
      ])
  }

  /// Reads all files and runs their queries; after a wrong one, the command fails at its end.
  func checkSections(of opened: OpenWorkspace, _ queries: ReportQueries, on output: Output) throws {
    let checked = try queries.faults(of: try opened.workspace.sections())
    // Correct files of the program are only counted, except in JSON, which lists all files.
    let well = checked.count { !$0.entry.isOwn && $0.faults.isEmpty }
    if well > 0, !output.isJSON {
      output.print("\(NumberWords.counted(well, "section")) of Firetally: ok")
    }
    for (entry, faults) in checked where output.isJSON || entry.isOwn || !faults.isEmpty {
      try output.print(
        faults.isEmpty ? "\(entry.source.path): ok" : faults.joined(separator: "\n"),
        json: [
          "message_type": "section_check", "name": entry.name, "file": entry.source.path,
          "own": entry.isOwn, "faults": faults,
        ])
    }
    let wrong = checked.count { !$0.faults.isEmpty }
    guard wrong > 0 else { return }
    throw CommandError(
      .badData,
      "\(wrong) of \(NumberWords.counted(checked.count, "section file")) "
        + "\(wrong == 1 ? "is" : "are") wrong: correct the lines above.")
  }
}
