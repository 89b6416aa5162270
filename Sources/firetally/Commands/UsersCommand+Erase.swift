import ArgumentParser
import Foundation
import Jobs
import Model
import Operations
import Reports
import Store
import Workspace

extension UsersCommand {
  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Erase everything about a person, permanently.",
      discussion: """
        Removes the person's rows, events, ratings, feedback, outbox items and profiles, lines of \
        rejected imports and of logs, and all reports with their dated copies. Backups and \
        exports that hold the person are named. Loads leave the person out from then on. The \
        documents on the server stay.

        Exit status: 0 erased, or erased before; 1 the id is nobody's: nothing was changed.
        """,
      examples: ["firetally users erase u-4711 --dry-run", "firetally users erase u-4711 --yes"])

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
      let (invocation, opened) = try global.openWorkspace()
      guard !dryRun else {
        let erasure = try personErasure(opened, try opened.readStoreOrEmpty())
        let findings = try erasure.find()
        try checkHeld(findings)
        return try printer(opened, erasure.exports()).print(findings, invocation.output)
      }
      let store = try opened.store()
      let erasure = try personErasure(opened, store)
      let found = try erasure.find()
      try checkHeld(found)
      let statement = "Erasing '\(id)' cannot be undone: \(ErasurePrinter.clause(found))."
      try invocation.confirm(
        statement, yes: yes || found.isEmpty, elseRefuse: CommandError.unconfirmed(statement))
      // The owner does not contain the id, which the lock file would show to others.
      let owner = LockOwner.thisProcess(command: "firetally users erase", since: invocation.now)
      let lock = try await turn.request(owner, isAttended: invocation.output.isAttended).acquire(
        opened.workspace, store, clock: invocation.clock, note: { invocation.log.debug($0) })
      defer { lock.release() }
      let findings = try erasure.find()
      try checkHeld(findings)
      let isClean = try erasure.perform(at: invocation.now)
      try printer(opened, erasure.exports()).print(findings, invocation.output)
      guard !isClean else { return }
      invocation.log.warning(
        "Another process reads the database, so its log still holds the person. Run the same "
          + "command again, or `firetally run maintain`.")
    }

    private func personErasure(_ opened: OpenWorkspace, _ store: Store) throws -> PersonErasure {
      PersonErasure(opened.workspace, try opened.workspace.jobs(), store, id: id)
    }

    private func checkHeld(_ findings: PersonFindings) throws {
      guard findings.isEmpty, findings.erasedAt == nil else { return }
      throw CommandError(
        .failed,
        "Nothing is held about '\(id)', so nothing was erased. Give the whole id of a user, in the "
          + "same case: `firetally search NAME` shows ids.")
    }

    private func printer(
      _ opened: OpenWorkspace, _ exports: [String: PersonFindings.Backup]
    ) -> ErasurePrinter {
      ErasurePrinter(
        id: id, root: opened.workspace.root + "/", isDryRun: dryRun, exports: exports)
    }
  }
}

/// A printer of an erasure's findings, for people or for programs.
private struct ErasurePrinter {
  let id: String
  /// The workspace's folder, which is the prefix of its files' paths.
  let root: String
  let isDryRun: Bool
  let exports: [String: PersonFindings.Backup]

  func print(_ findings: PersonFindings, _ output: Output) throws {
    try output.print(text(findings), json: line(findings))
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
      lines += named(findings.backups)
      lines.append("`firetally restore` erases this person again, by the list beside the backups.")
    }
    if !exports.isEmpty {
      lines.append("Exports that hold this person, or may. Remove them, or the lines in them:")
      lines += named(exports)
    }
    if !findings.rows.documents.isEmpty {
      lines.append("Documents that the server still has; delete them there:")
      lines += findings.rows.documents.map { VisibleText.line("  \($0)") }
    }
    let reports = reports(findings)
    if !reports.isEmpty {
      let verb = isDryRun ? "Reports to remove" : "Reports removed"
      lines.append("\(verb); `firetally report` writes new ones without this person:")
      lines += reportFolders(findings)
    }
    return lines.joined(separator: "\n")
  }

  private func headline(_ findings: PersonFindings) -> String {
    let name = VisibleText.line(id)
    if findings.isEmpty, let at = findings.erasedAt {
      return "'\(name)' was erased at \(at.iso8601); nothing is left here."
    }
    return isDryRun
      ? "Would erase '\(name)': \(Self.clause(findings))." : "Erased '\(name)' permanently."
  }

  /// Returns the counts: `12 rows, 1 rejected line, 4 report files`.
  static func clause(_ findings: PersonFindings) -> String {
    let rows = [("rows", "row", findings.rows.total)].filter { $0.2 > 0 }
    return (rows + files(findings)).map { NumberWords.counted($0.2, $0.1, $0.0) }
      .joined(separator: ", ")
  }

  private func places(_ findings: PersonFindings) -> [PersonRows.Place] {
    findings.rows.places + Self.files(findings).map { PersonRows.Place($0.0, $0.2) }
  }

  /// Returns the counts in files, with their plural and singular nouns.
  private static func files(_ findings: PersonFindings) -> [(String, String, Int)] {
    [
      ("rejected lines", "rejected line", findings.rejectedLines.values.reduce(0, +)),
      ("log lines", "log line", findings.logLines.values.reduce(0, +)),
      ("report files", "report file", findings.pages.count),
      ("dated copies", "dated copy", findings.copies.count),
    ].filter { $0.2 > 0 }
  }

  /// Returns the files; `isKnown` is false for one that cannot be read here and may hold the
  /// person.
  private func files(
    _ copies: [String: PersonFindings.Backup]
  ) -> [(file: String, isKnown: Bool)] {
    copies.sorted { $0.key < $1.key }.map { (relative($0), $1 == .holds) }
  }

  private func named(_ copies: [String: PersonFindings.Backup]) -> [String] {
    files(copies).map { file, isKnown in
      VisibleText.line("  \(file)\(isKnown ? "" : " (cannot be looked into)")")
    }
  }

  private func reports(_ findings: PersonFindings) -> [String] {
    (findings.pages + findings.copies).map(relative).sorted()
  }

  /// Returns a line for each folder, such as `  output: 48 files`; `--json` names each file.
  private func reportFolders(_ findings: PersonFindings) -> [String] {
    func counted(_ paths: [String], _ word: String, _ plural: String) -> [String] {
      let folders = Dictionary(grouping: paths.map(relative)) { path in
        path.split(separator: "/").dropLast().joined(separator: "/")
      }
      return folders.sorted { $0.key < $1.key }.map { folder, files in
        VisibleText.line("  \(folder): \(NumberWords.counted(files.count, word, plural))")
      }
    }
    return counted(findings.pages, "file", "files")
      + counted(findings.copies, "dated copy", "dated copies")
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  private func line(_ findings: PersonFindings) -> JSONObject {
    func objects(_ copies: [String: PersonFindings.Backup]) -> [JSONObject] {
      files(copies).map { ["file": $0, "isKnown": $1] }
    }
    return [
      "message_type": "erasure", "userId": id, "isDryRun": isDryRun,
      "wasErasedBefore": findings.erasedAt != nil, "places": places(findings),
      "backups": objects(findings.backups), "exports": objects(exports),
      "documents": findings.rows.documents,
      "removedFiles": reports(findings),
    ]
  }
}
