import ArgumentParser
import Jobs
import Model
import ReportWriters
import Reports
import Store
import Workspace

struct FindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Show what needs you and why; acknowledge what you know.",
    group: [List.self, Acknowledge.self, TakeBack.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List what is open: since when, why, and what to do next.",
      discussion: """
        `findings` alone does the same. Makes no request, needs no lock, and stores nothing.

        Exit status: 0 success; with --exit-code 1 when an error or a warning is open.
        """,
      examples: [
        "firetally findings", "firetally findings --all", "firetally findings --at 2026-01-30",
        "firetally findings --json",
        "firetally findings --explain runs-jobs-that-have-not-run-yet",
      ])

    @Option(
      help: ArgumentHelp(
        "Judge a past day, such as 2026-01-31, as on the morning after it. Later events do not "
          + "count.",
        valueName: "date"))
    var at: CivilDay?

    @Option(
      help: ArgumentHelp(
        "Show how one finding was made: all that was judged, and what it explains.",
        valueName: "id"),
      completion: NameCompletion.findings)
    var explain: String?

    @Flag(help: "Also list acknowledged findings, rules that are off, and quiet days.")
    var all = false

    @Flag(help: "End with 1 when an error or a warning is open.")
    var exitCode = false

    @OptionGroup var counting: PlatformOption

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let list = try FindingsCommand.list(global, at: at, platform: counting.platform)
      let output = Invocation(global).output
      if let explain {
        guard let explanation = list.explanation(of: explain) else {
          throw CommandError.noFinding(
            explain, that: "open", among: list.ids, else: "Nothing is open.")
        }
        return try output.print(String(explanation.words.dropLast()), json: explanation)
      }
      try output.print(String(list.text(all: all).dropLast()), json: list)
      guard !exitCode || !list.needsPerson else { throw StatusOnly(status: .failed) }
    }
  }

  struct Acknowledge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ack",
      abstract: "Hide a known finding from reports, status and daily messages.",
      discussion: """
        The finding stays hidden until it is over, or until the day of --until. A new reason of a \
        job's failure, and its end, still send a message. `firetally findings --all` lists hidden \
        findings, `firetally findings unack` shows one again.
        """,
      examples: ["firetally findings ack runs-jobs-that-have-not-run-yet --until 2026-12-01"])

    @Argument(
      help: ArgumentHelp("The id, as `firetally findings` shows it.", valueName: "id"),
      completion: NameCompletion.findings)
    var id: String

    @Option(
      help: ArgumentHelp(
        "The day on which it is listed again, such as 2026-01-31.", valueName: "date"))
    var until: CivilDay?

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let end = try FindingsCommand.end(until, invocation, opened)
      let open = try FindingsCommand.list(global, at: nil).ids
      guard open.contains(id) else {
        throw CommandError.noFinding(id, that: "open", among: open, else: "Nothing is open.")
      }
      let acknowledgement = Acknowledgement(
        id: id, at: invocation.now, until: until?.iso8601, untilAt: end)
      try opened.store().write { try $0.acknowledge(acknowledgement) }
      try invocation.output.remark(
        "Acknowledged until \(until?.iso8601 ?? "it is over"): \(id).",
        json: ["message_type": "finding_ack", "id": id, "until": until?.iso8601])
    }
  }

  struct TakeBack: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unack",
      abstract: "Show an acknowledged finding again.",
      examples: ["firetally findings unack runs-jobs-that-have-not-run-yet"])

    @Argument(
      help: ArgumentHelp("The id, as `firetally findings --all` shows it.", valueName: "id"),
      completion: NameCompletion.acknowledged)
    var id: String

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      try opened.store().write { writer in
        guard try !writer.takeBackAcknowledgement(of: id) else { return }
        throw CommandError.noFinding(
          id, that: "acknowledged", among: try writer.acknowledgements().map(\.id), else: "None is."
        )
      }
      try invocation.output.remark(
        "Told again: \(id).", json: ["message_type": "finding_unack", "id": id])
    }
  }

  /// Returns when the day begins on which an acknowledged finding is reported again; nil without
  /// one.
  ///
  /// - Throws: `CommandError` for a day that is not after today.
  static func end(
    _ until: CivilDay?, _ invocation: Invocation, _ opened: OpenWorkspace
  ) throws -> Instant? {
    guard let until else { return nil }
    let jobs = try opened.workspace.jobs().jobs
    let today = FindingsReading.day(of: invocation.now, jobs, opened.config)
    guard until.iso8601 > today else {
      throw CommandError(.usage, "--until takes a day after today, \(today).")
    }
    return FindingsReading.start(of: until, jobs, opened.config)
  }

  /// Returns the findings that are open now, or were open on the morning after a day.
  fileprivate static func list(
    _ global: GlobalOptions, at day: CivilDay?, platform: AppConfig.PlatformChoice? = nil
  ) throws -> FindingList {
    var global = global
    let (invocation, opened) = try global.openWorkspace()
    let catalog = try opened.workspace.jobs()
    if let day {
      let today = FindingsReading.day(of: invocation.now, catalog.jobs, opened.config)
      guard day.iso8601 < today else {
        throw CommandError(.usage, "--at takes a day before today, \(today).")
      }
      global.now = FindingsReading.morning(after: day, catalog.jobs, opened.config)
    }
    let judging = Invocation(global)
    return try opened.reading { store in
      let context = try judging.context(
        opened, store: try store ?? .inMemory(), catalog: catalog)
      return try FindingsReading(context, on: day, platform: platform).list()
    }
  }
}

extension CivilDay: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(iso8601: argument)
  }
}

extension CommandError {
  private static let namedFindings = 10

  /// Returns the error for an id without a finding in this state; `none` is the sentence for an
  /// empty list.
  fileprivate static func noFinding(
    _ id: String, that isSo: String, among known: [String], else none: String
  ) -> CommandError {
    CommandError(
      .usage,
      "No finding '\(id)' is \(isSo).\(ClosestName.hint(for: id, among: known)) "
        + (known.isEmpty ? none : "There are: \(known.listed(namedFindings))."))
  }
}
