import ArgumentParser
import Foundation
import Jobs

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the report pages anew from what is stored.",
    discussion: """
      Makes no request and needs no lock. Prints the path of the first page. What is not said here is \
      as the job of kind report says. With other reports, days or people than the job's, the day's \
      copy in the history stays as it is.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "usage, limits, ratings, users, runs; all of them unless named.")
  var reports: [ReportOptions.Name] = []

  @Option(help: "Days that the reports look back, 1 to 366.")
  var days: Int?

  @Option(
    help: ArgumentHelp(
      "yesterday, last-week, last-month or two days: 2026-11-01..2026-11-14.",
      valueName: "period"))
  var period: ReportPeriod?

  @Option(
    name: .customLong("time-zone"),
    help: ArgumentHelp("Whose days they are, for example Europe/Berlin.", valueName: "zone"))
  var timeZone: String?

  @Option(help: "Whose events, ratings and feedback are counted: all, or those of the profile.")
  var scope: ReportOptions.Scope?

  @Flag(inversion: .prefixedNo, help: "Put pseudonyms in the place of users and profiles.")
  var anonymous: Bool?

  @Option(
    name: .customLong("format"), parsing: .singleValue,
    help: ArgumentHelp("html, text, json or csv; may be given several times.", valueName: "format"))
  var formats: [ReportOptions.Format] = []

  @Flag(
    name: .customLong("single-file"), inversion: .prefixedNo,
    help: "Write all reports as one file of each format.")
  var singleFile: Bool?

  @Option(help: ArgumentHelp("Where the pages go.", valueName: "dir"))
  var output: String?

  @Option(
    help: ArgumentHelp("A style sheet of your own that follows the pages'.", valueName: "file"))
  var styleSheet: String?

  @Flag(help: "Print the reports as text, for mail; write nothing.")
  var text = false

  @Flag(help: "Open the first page in the browser of the desktop.")
  var open = false

  func validate() throws {
    if let days, !ReportPeriod.dayCounts.contains(days) {
      throw ValidationError("--days takes 1 to 366.")
    }
    guard days == nil || period == nil else {
      throw ValidationError("--days and --period exclude each other: give one of them.")
    }
    if let timeZone, !TimeZoneName.isValid(timeZone) {
      throw ValidationError("--time-zone takes an IANA name such as Europe/Berlin, or UTC.")
    }
    let writes = !formats.isEmpty || singleFile != nil || output != nil || open
    guard !(text && writes) else {
      throw ValidationError(
        "--text writes nothing: leave out --format, --single-file, --output and --open.")
    }
  }

  func run() async throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let context = try invocation.context(desk, store: try desk.store())
    let writing = ReportWriting(
      options(of: context.jobs), context, makesCopy: !changesContent)
    if text {
      let text = String(decoding: try writing.text(), as: UTF8.self)
      return invocation.output.show(String(text.dropLast()))
    }
    let result = try await writing.perform()
    if invocation.output.isJSON {
      try invocation.output.show(json: Line(index: writing.firstFile, summary: result.summary))
    } else {
      invocation.output.show(writing.firstFile)
    }
    if open { try await DesktopOpener(environment: invocation.environment).open(writing.firstFile) }
  }

  private var changesContent: Bool {
    !reports.isEmpty || days != nil || period != nil || timeZone != nil || scope != nil
      || global.namedProfile != nil || anonymous != nil || !formats.isEmpty || singleFile != nil
  }

  /// Those of the workspace's report job, with what the command line says otherwise.
  private func options(of jobs: [Job]) -> ReportOptions {
    var options = ReportOptions()
    for job in jobs {
      if case .report(let own) = job.kind { options = own }
    }
    if !reports.isEmpty { options.reports = reports }
    if let period = period ?? days.map(ReportPeriod.days) { options.period = period }
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

  /// A path of the command line counts from where the command runs, not from the workspace.
  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  private struct Line: Encodable {
    let message_type = "report"
    let index: String
    let summary: String
  }
}

extension ReportOptions.Name: ExpressibleByArgument {}

extension ReportOptions.Format: ExpressibleByArgument {}

extension ReportOptions.Scope: ExpressibleByArgument {}

extension ReportPeriod: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(argument)
  }
}
