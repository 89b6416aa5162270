import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store

extension UsersCommand {
  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Erase everything that is held about a person, for good.",
      discussion: """
        Removes the person's rows, events, ratings, feedback, outbox items and profiles, lines of \
        rejected imports and of logs, and all reports with their dated copies. Backups that hold the person are \
        named. Loads leave the person out from then on. The documents on the server stay.

        Exit status: 0 erased, or erased before; 1 the id is nobody's: nothing was changed.

        EXAMPLES:
          firetally users erase u-4711 --dry-run
          firetally users erase u-4711 --yes
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    @Flag(help: "Show what would be erased; change nothing.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var turn: LockOptions

    func validate() throws {
      guard !id.isEmpty else { throw ValidationError("The user's id is empty.") }
    }

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      guard !dryRun else {
        return try await opened.reading { store in
          let printer = ErasurePrinter(id: id, opened, isDryRun: true)
          try printer.show(try personErasure(opened, store).find(), invocation.output)
        }
      }
      let store = try opened.store()
      let erasure = try personErasure(opened, store)
      try confirm(try erasure.find(), invocation)
      // Without the id, which the lock file would show to others.
      let owner = LockOwner.thisProcess(command: "firetally users erase", since: invocation.now)
      let lock = try await turn.request(owner, isAttended: invocation.output.isAttended).acquire(
        opened.workspace, store, clock: invocation.clock, note: { invocation.log.note($0) })
      defer { lock.release() }
      let findings = try erasure.find()
      guard !findings.isEmpty || findings.erasedAt != nil else {
        throw CommandError.nobodyToErase(id: id)
      }
      let isClean = try erasure.perform(at: invocation.now)
      try ErasurePrinter(id: id, opened, isDryRun: false).show(findings, invocation.output)
      guard !isClean else { return }
      invocation.log.warn(
        "Another process reads the database, so its log still holds the person. Run the same "
          + "command again, or `firetally run maintain`.")
    }

    private func personErasure(_ opened: OpenWorkspace, _ store: Store) throws -> PersonErasure {
      PersonErasure(
        JobWorkspace(
          folder: opened.workspace, config: opened.config, catalog: try opened.workspace.jobs(),
          store: store),
        id: id)
    }

    /// - Throws: `CommandError.nobodyToErase`, or that nobody has said yes.
    private func confirm(_ findings: PersonFindings, _ invocation: Invocation) throws {
      guard !findings.isEmpty || findings.erasedAt != nil else {
        throw CommandError.nobodyToErase(id: id)
      }
      guard !yes, !findings.isEmpty else { return }
      let statement = "Erasing '\(id)' cannot be undone: \(ErasurePrinter.clause(findings))."
      guard Confirmation.canAsk(invocation) else {
        throw CommandError.needsConfirmation(statement: statement)
      }
      guard Confirmation.isGiven(to: statement, invocation) else {
        throw CommandError.notConfirmed
      }
    }
  }
}

/// Prints what an erasure found, for a person or for a program.
private struct ErasurePrinter {
  private let id: String
  private let root: String
  private let isDryRun: Bool

  init(id: String, _ opened: OpenWorkspace, isDryRun: Bool) {
    self.id = id
    root = opened.workspace.root + "/"
    self.isDryRun = isDryRun
  }

  func show(_ findings: PersonFindings, _ output: Output) throws {
    if findings.isEmpty, findings.erasedAt == nil {
      throw CommandError.nobodyToErase(id: id)
    }
    guard !output.isJSON else { return try output.show(json: line(findings)) }
    output.show(text(findings))
  }

  private func text(_ findings: PersonFindings) -> String {
    var lines = [headline(findings)]
    let places = places(findings)
    if !places.isEmpty {
      var table = TextTable(["PLACE", "COUNT"], rightAligned: [1])
      for place in places { table.add([place.place, "\(place.count)"]) }
      lines.append(table.text)
    }
    if !findings.backups.isEmpty {
      lines.append("Backups that hold this person, or may. Remove them, or let them run out:")
      lines += backups(findings).map { backup in
        VisibleText.line("  \(backup.file)\(backup.isKnown ? "" : " (cannot be looked into)")")
      }
      lines.append("After restoring one of them, erase again.")
    }
    if !findings.rows.documents.isEmpty {
      lines.append("Documents that the server still has; delete them there:")
      lines += findings.rows.documents.map { VisibleText.line("  \($0)") }
    }
    let reports = (findings.pages + findings.copies).map(relative).sorted()
    if !reports.isEmpty {
      let verb = isDryRun ? "Reports to remove" : "Reports removed"
      lines.append("\(verb); `firetally report` writes new ones without this person:")
      lines += reports.map { VisibleText.line("  \($0)") }
    }
    return lines.joined(separator: "\n")
  }

  private func headline(_ findings: PersonFindings) -> String {
    let name = VisibleText.line(id)
    if findings.isEmpty, let at = findings.erasedAt {
      return "'\(name)' was erased at \(at.iso8601); nothing is left here."
    }
    return isDryRun
      ? "Would erase '\(name)': \(Self.clause(findings))." : "Erased '\(name)' for good."
  }

  /// `12 rows, 1 line of rejected imports, 4 reports`.
  static func clause(_ findings: PersonFindings) -> String {
    let parts = [
      (findings.rows.total, "row", "rows"),
      (findings.rejectedLines.values.reduce(0, +), "rejected line", "rejected lines"),
      (findings.logLines.values.reduce(0, +), "log line", "log lines"),
      (findings.pages.count, "report file", "report files"),
      (findings.copies.count, "dated copy", "dated copies"),
    ].filter { $0.0 > 0 }
    return parts.map { NumberWords.counted($0.0, $0.1, $0.2) }.joined(separator: ", ")
  }

  private func places(_ findings: PersonFindings) -> [PersonRows.Place] {
    let files = [
      PersonRows.Place("rejected lines", findings.rejectedLines.values.reduce(0, +)),
      PersonRows.Place("log lines", findings.logLines.values.reduce(0, +)),
      PersonRows.Place("report files", findings.pages.count),
      PersonRows.Place("dated copies", findings.copies.count),
    ]
    return findings.rows.places + files.filter { $0.count > 0 }
  }

  private func backups(_ findings: PersonFindings) -> [JSONOutput.Backup] {
    findings.backups.sorted { $0.key < $1.key }.map { path, state in
      JSONOutput.Backup(file: relative(path), isKnown: state == .holds)
    }
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  private func line(_ findings: PersonFindings) -> JSONOutput {
    JSONOutput(
      userId: id, isDryRun: isDryRun, wasErasedBefore: findings.erasedAt != nil,
      places: places(findings), backups: backups(findings), documents: findings.rows.documents,
      removedFiles: (findings.pages + findings.copies).map(relative).sorted())
  }

  private struct JSONOutput: Encodable {
    struct Backup: Encodable {
      let file: String
      /// False for a file that cannot be read here: it may hold the person.
      let isKnown: Bool
    }

    let message_type = "erasure"
    let userId: String
    let isDryRun: Bool
    let wasErasedBefore: Bool
    let places: [PersonRows.Place]
    let backups: [Backup]
    let documents: [String]
    let removedFiles: [String]
  }
}
