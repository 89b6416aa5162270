import ArgumentParser
import Foundation
import Jobs

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the report pages anew from what is stored.",
    discussion: "Makes no request and needs no lock. Prints the path of the first page.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "usage, limits, ratings, users, runs; all of them unless named.")
  var reports: [ReportOptions.Name] = []

  @Option(help: "Days that the reports look back, 1 to 366.")
  var days: Int?

  @Option(help: ArgumentHelp("Where the pages go.", valueName: "dir"))
  var output: String?

  @Option(
    help: ArgumentHelp("A style sheet of your own that follows the pages'.", valueName: "file"))
  var styleSheet: String?

  func validate() throws {
    if let days, !ReportOptions.periods.contains(days) {
      throw ValidationError("--days takes 1 to 366.")
    }
  }

  func run() async throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let context = try invocation.context(desk, store: try desk.store())
    let writing = ReportWriting(options(of: context.jobs), context)
    let result = try await writing.perform()
    let page = "\(writing.folder)/index.html"
    if invocation.output.isJSON {
      try invocation.output.show(json: Line(index: page, summary: result.summary))
    } else {
      invocation.output.show(page)
    }
  }

  /// Those of the workspace's report job, with what the command line says otherwise.
  private func options(of jobs: [Job]) -> ReportOptions {
    var options = ReportOptions()
    for job in jobs {
      if case .report(let own) = job.kind { options = own }
    }
    if !reports.isEmpty { options.reports = reports }
    if let days { options.periodDays = days }
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
