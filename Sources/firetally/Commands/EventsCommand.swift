import ArgumentParser
import Feeds
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

struct EventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Import, export and read the usage ledger.",
    group: [Import.self, Export.self, List.self, Count.self])

  /// The options that select events of the ledger.
  struct Selection: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Only events at or after this instant, for example 2026-01-31T08:00:00Z.",
        valueName: "instant"))
    var from: Instant?

    @Option(
      help: ArgumentHelp(
        "Only events before this instant, for example 2026-02-01T00:00:00Z.",
        valueName: "instant"))
    var to: Instant?

    @Option(help: ArgumentHelp("Only events of this user.", valueName: "id"))
    var user: String?

    @Option(help: "Only events with this name, for example ios_refresh_performed.")
    var name: String?

    @Option(
      help: ArgumentHelp(
        "Only events of ios or android, and those that name no platform. Default: all.",
        valueName: "platform"))
    var platform: AppConfig.PlatformChoice?

    func validate() throws {
      if let from, let to, to <= from {
        throw ValidationError("--to takes an instant after --from.")
      }
    }

    var filter: EventFilter {
      EventFilter(
        from: from, to: to, userId: user, name: name,
        platform: platform == .all ? nil : platform?.rawValue)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List events, newest first.",
      examples: [
        "firetally events list --user u-4711",
        "firetally events list --from 2026-01-31T00:00:00Z --limit 50",
      ])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @OptionGroup var count: CountOption

    func run() throws {
      let (invocation, opened, store) = try global.openReadable()
      let events = try store.read { try $0.newestEvents(selection.filter, limit: count.fetched) }
      try invocation.output.print(
        events.prefix(count.limit), as: "event", isCompact: true,
        [
          .time("AT", "at", words: opened.clock) { $0.at },
          OutputColumn("NAME", "name") { $0.name },
          OutputColumn("USER", "userId") { $0.userId },
          OutputColumn("COUNTRY", "country", none: "") { $0.country },
          OutputColumn("VERSION", "appVersion", none: "") { $0.appVersion },
          .members {
            [
              "platform": $0.platform,
              "parameters": JSONObject($0.parameters.mapValues(\.plain)),
            ]
          },
        ])
      count.printMore(of: events, on: invocation.output)
    }
  }

  struct Count: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "count", abstract: "Count events: all, or those that match.",
      examples: ["firetally events count --name ios_refresh_performed"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    func run() throws {
      let (invocation, store) = try global.readableStore()
      let count = try store.read { try $0.eventsCount(selection.filter) }
      try invocation.output.print(
        String(count), json: ["message_type": "events", "events": count])
    }
  }
}

extension EventValue {
  /// The value as a plain text or number.
  fileprivate var plain: (any Encodable & Sendable)? {
    switch self {
    case .string(let text): text
    case .integer(let number): number
    case .double(let number): number
    }
  }
}

extension EventsCommand {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import events from GA4's BigQuery export.",
      discussion: """
        Reads NDJSON or a JSON array, plain or gzip, and adds the events that the ledger lacks: \
        importing a file twice adds nothing. A day whose table is exported again replaces what its \
        earlier export brought. Lines that are not events are counted and listed; the status is \
        then 3. To continue an interrupted import, run it again.
        """,
      examples: [
        "firetally events import export.ndjson",
        "firetally events import --replace-day corrected.ndjson",
      ])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var turn: LockOptions

    @Option(
      help: ArgumentHelp(
        "File for rejected lines. Default: data/rejects/import.txt.",
        valueName: "file"))
    var rejects: String?

    @Flag(help: "The files together replace all that was imported of their days.")
    var replaceDay = false

    @Flag(help: "Replace days also by exports that are much shorter.")
    var force = false

    @Argument(help: ArgumentHelp("The export's files; - is standard input.", valueName: "file"))
    var files: [String]

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace()
      let store = try opened.store()
      let lock = try await invocation.lock(opened, store: store, wait: turn)
      defer { lock.release() }
      let list = rejects ?? opened.workspace.path("data/rejects/import.txt")
      var printer = ImportPrinter(invocation: invocation, rejects: list)
      let importer = EventsImport(
        store: store, rejects: list, replacesDays: replaceDay, isForced: force)
      try await importer.run(files) {
        printer.progress($1, of: $0)
      } eachFile: {
        try printer.print($0)
      }
      try printer.end()
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Export events in the form of GA4's BigQuery export, oldest first.",
      discussion: """
        Writes NDJSON that `firetally events import` reads, to standard output, or with --output \
        to a file that appears once it is complete.
        """,
      examples: ["firetally events export --output events.ndjson.gz --gzip"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Option(
      name: [.short, .long, .customLong("to-file")],
      help: ArgumentHelp("The file to write or replace.", valueName: "file"))
    var output: String?

    @Flag(help: "Compress with gzip.")
    var gzip = false

    func run() throws {
      let (invocation, store) = try global.readableStore()
      guard let output else {
        let count = try write(from: store, to: STDOUT_FILENO, named: "standard output")
        return invocation.log.debug("\(NumberWords.counted(count, "event")) written.")
      }
      let draft = try DraftFile(for: output)
      let count = try write(from: store, to: draft.descriptor, named: output)
      try draft.finish()
      try invocation.output.remark(
        "\(NumberWords.counted(count, "event")) written to \(output)",
        json: ["message_type": "export", "file": output, "events": count])
    }

    /// Writes the events, and returns their number.
    private func write(
      from store: Store, to descriptor: Int32, named path: String
    ) throws -> Int {
      let bytes = try OutputBytes(descriptor: descriptor, path: path, isGzip: gzip)
      if descriptor == STDOUT_FILENO, !gzip {
        bytes.filter = { StandardStream.output.harmless($0) }
      }
      var count = 0
      do {
        try store.read { reader in
          try reader.forEachEvent(selection.filter) { event in
            if count.isMultiple(of: 10_000) { try Task.checkCancellation() }
            try bytes.write(event)
            count += 1
          }
        }
        try bytes.finish()
      } catch FeedError.cannotWrite where descriptor == STDOUT_FILENO {
        throw CommandError.outputLost(.init(stream: .output, code: bytes.failureCode))
      }
      return count
    }
  }
}

/// A printer of the outcomes of imported files, which also derives the exit status.
private struct ImportPrinter {
  let invocation: Invocation
  let rejects: String
  /// The current file and the number of its lines shown so far; nil before the first ones.
  var shown: (file: String, lines: Int)?
  var problem: FeedError?
  var isPartial = false

  /// Shows the progress of a file on a terminal.
  mutating func progress(_ counts: ExportImport.Counts, of file: String) {
    let line = invocation.progressLine
    let before = shown?.file == file ? shown?.lines : nil
    if before == nil { line.begin(file, "lines", total: nil) }
    line.advance(by: counts.lines - (before ?? 0), total: counts.expectedLines)
    shown = (file, counts.lines)
  }

  mutating func print(_ result: EventsImport.FileResult) throws {
    clear()
    if let problem = result.problem { return fail(problem) }
    if result.counts.rejected > 0 { isPartial = true }
    if !result.isPending { try print(result.counts, of: result.path) }
    for news in result.news { try print(news, of: result.path) }
  }

  private mutating func print(_ news: ExportNews, of file: String) throws {
    if invocation.output.isJSON {
      try invocation.output.print(json: Self.line(news, of: file))
    }
    guard news.isWarning else {
      return invocation.output.remark(VisibleText.line(news.sentence), always: true)
    }
    isPartial = true
    invocation.log.warning(news.sentence + ".")
  }

  private static func line(_ news: ExportNews, of file: String) -> JSONObject {
    let isCompared = news.before > 0 || news.now > 0
    return .compact([
      "message_type": "import-day", "day": news.isoDay, "change": news.change.rawValue,
      "file": file, "before": isCompared ? news.before : nil, "now": isCompared ? news.now : nil,
      "count": news.count > 0 ? news.count : nil,
    ])
  }

  private func print(_ counts: ExportImport.Counts, of file: String) throws {
    try invocation.output.remark(
      "\(VisibleText.line(file)): \(counts.added) added, \(counts.known) known, "
        + "\(counts.rejected) rejected"
        + (counts.erased > 0 ? ", \(counts.erased) of erased people left out" : ""),
      json: [
        "message_type": "import", "file": file, "lines": counts.lines, "added": counts.added,
        "known": counts.known, "rejected": counts.rejected, "erased": counts.erased,
      ])
    if counts.rejected > 0 {
      invocation.log.warning(
        "\(file): \(counts.rejected) of \(counts.lines) lines are no events; see \(rejects)")
    }
  }

  /// Keeps the first problem for the end; prints later ones at once.
  mutating func fail(_ error: FeedError) {
    clear()
    if problem == nil { problem = error } else { invocation.log.warning("\(error)") }
  }

  /// Throws the first error of a file, else a status when lines were rejected or a day needs
  /// attention.
  func end() throws {
    if let problem { throw problem }
    if isPartial { throw StatusOnly(status: .partial) }
  }

  private mutating func clear() {
    shown = nil
    invocation.progressLine.end()
  }
}
