import ArgumentParser
import Foundation
import Jobs
import Model
import Operations
import ReportWriters
import Reports
import Store
import Workspace

struct OverviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overview",
    abstract: "Show all workspaces: money, people, findings, jobs, cost.",
    discussion: """
      Reads the workspaces of -C, which may be repeated, else those that \
      ~/.config/firetally/workspaces.yml lists. Makes no request, needs no lock, and writes nothing \
      into a workspace. One that cannot be read is a line with the reason.

      Exit status: 0 success; 1 a workspace cannot be read, or `firetally status` ends with 1 there.
      """,
    examples: [
      "firetally overview", "firetally overview -C /srv/firetally/chat -C /srv/firetally/uplift",
      "firetally overview --summary --period yesterday", "firetally overview --json",
      "firetally overview --html /srv/www/overview.html",
      "firetally overview --prometheus /srv/metrics/overview.prom",
    ])

  @OptionGroup var span: PeriodOptions

  @Flag(help: "Print it in at most 30 lines, for a message.")
  var summary = false

  @Option(help: ArgumentHelp("Write this page, in the style of the reports.", valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Write this file for node_exporter's textfile collector.", valueName: "file"))
  var prometheus: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !summary || (html == nil && prometheus == nil && !global.json) else {
      throw ValidationError(
        "--summary prints a text: leave out --html, --prometheus and --json.")
    }
  }

  func run() throws {
    let invocation = Invocation(global)
    let read = try folders(invocation).map { try reading(of: $0, at: invocation.now) }
    let overview = Overview(read.map(\.workspace), now: invocation.now)
    guard html == nil, prometheus == nil else {
      return try write(overview, read, on: invocation.output)
    }
    try invocation.output.print(String(text(of: overview).dropLast()), json: overview)
    guard overview.isWell else { throw StatusOnly(status: .failed) }
  }

  private func text(of overview: Overview) -> String {
    guard !summary else { return OverviewDigest(overview).text }
    let page = OverviewReport.make(overview)
    return String(
      decoding: TextWriter.bytes(of: page, in: PageLayout(reports: [], formats: [.text])),
      as: UTF8.self)
  }

  private func write(
    _ overview: Overview, _ read: [WorkspaceReading], on output: Output
  ) throws {
    if let prometheus {
      try AtomicFile.write(
        Array(overview.metrics.utf8), to: prometheus, mode: FileMode(octal: "0644") ?? .ownerOnly)
    }
    guard let html else { return }
    let linked = Overview(
      read.map { $0.linked(from: html) }, now: overview.now)
    let modes = Set(read.compactMap(\.mode))
    try AtomicFile.write(
      try HTMLWriter.bytes(
        of: OverviewReport.make(linked), in: PageLayout(reports: [], formats: [.html])),
      to: html, mode: modes.count == 1 ? modes.first ?? .ownerOnly : .ownerOnly)
    try output.remark(html, always: true, json: ["message_type": "overview_page", "path": html])
  }
}

/// Which workspaces the overview is about, and what it reads of each.
extension OverviewCommand {
  /// What was read of one workspace.
  struct WorkspaceReading {
    let workspace: WorkspaceOverview
    /// The absolute path of the first page of its reports; nil without one.
    var page: String?
    /// Who may read its reports; nil for one that cannot be read.
    var mode: FileMode?

    /// The same workspace with a link from a page in a file.
    func linked(from file: String) -> WorkspaceOverview {
      WorkspaceOverview(
        folder: workspace.folder, workspace.content,
        page: page.map { RelativeLink.text(from: file, to: $0) })
    }
  }

  /// Returns the named folders, else those of the user's list, else the default one; each once.
  private func folders(_ invocation: Invocation) throws -> [String] {
    var folders = global.namedWorkspaces
    if folders.isEmpty {
      folders = try WorkspaceList.stored(in: invocation.environment)?.folders ?? []
    }
    if folders.isEmpty {
      let single = GlobalOptions.defaultWorkspace
      guard FileManager.default.fileExists(atPath: Workspace(root: single).configurationPath) else {
        throw CommandError.noWorkspaces(
          list: WorkspaceList.path(in: invocation.environment))
      }
      folders = [single]
    }
    var seen: Set<String> = []
    return folders.filter {
      seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path)
        .inserted
    }
  }

  /// Reads one workspace; what prevents that is its reason, and no error.
  private func reading(of folder: String, at now: Instant) throws -> WorkspaceReading {
    var options = global
    options.workspace = folder
    options.now = now
    let path = Workspace(root: folder).absoluteRoot
    do {
      let invocation = Invocation(options)
      let opened = try invocation.openWorkspace()
      let catalog = try opened.workspace.jobs()
      let period = span.named ?? .byDefault
      let (app, page) = try opened.reading(copiesOlder: false) { store in
        let reading = OverviewReading(
          try invocation.context(opened, store: try store ?? .inMemory(), catalog: catalog),
          period: period)
        return (try reading.app(), reading.firstPage)
      }
      return WorkspaceReading(
        workspace: WorkspaceOverview(folder: path, .app(app)), page: page,
        mode: opened.config.outputMode)
    } catch let error as CancellationError {
      throw error
    } catch {
      return WorkspaceReading(
        workspace: WorkspaceOverview(folder: path, .unread(VisibleText.line("\(error)"))))
    }
  }
}

/// A link between two files of a machine, percent-encoded.
enum RelativeLink {
  /// Returns the link to a file from a page in another file.
  static func text(from page: String, to file: String) -> String {
    let folder = components(of: page).dropLast()
    let target = components(of: file)
    let shared = zip(folder, target).prefix { $0 == $1 }.count
    let steps =
      Array(repeating: "..", count: folder.count - shared)
      + target.dropFirst(shared).map { name in
        name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
      }
    return steps.joined(separator: "/")
  }

  /// Without the colon, behind which a first word would be a scheme.
  private static let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet([":", "/"]))

  /// Links in the path of a file are followed, but for the file itself.
  private static func components(of path: String) -> [String] {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
    return folder.split(separator: "/").map(String.init) + [url.lastPathComponent]
  }
}

extension CommandError {
  /// Returns the error when nothing names a workspace; `list` is the path of the user's list.
  fileprivate static func noWorkspaces(list: String?) -> CommandError {
    CommandError(
      .configuration,
      "Nothing names a workspace: name each with -C"
        + (list.map { ", or list them in \(VisibleText.line($0))." } ?? "."))
  }
}
