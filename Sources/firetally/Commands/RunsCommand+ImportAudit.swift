import ArgumentParser
import Jobs
import Operations
import Reports
import Workspace

extension RunsCommand {
  /// See `docs/readers.md#the-audit-log`.
  struct ImportAudit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import-audit",
      abstract: "Import an audit log: who reads which collections.",
      discussion: """
        Reads entries of Cloud Audit Logs for the workspace's database, as NDJSON or a JSON array, \
        plain or gzip. The runs report then has the section "Who reads". Importing a file twice \
        adds nothing. People's ids and addresses are not kept.
        """,
      examples: ["firetally runs import-audit data_access.ndjson"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The log's files; - is standard input.", valueName: "file"))
    var files: [String]

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let store = try opened.store()
      let project =
        try WorkspaceOrigin.stored(in: store)?.project ?? opened.config.firestore.project
      let importer = AuditImport(
        store: store, database: opened.config.firestore.database,
        project: global.project ?? project)
      var isPartial = false
      for file in files {
        let counts = try importer.run(file)
        try print(counts, of: file, on: invocation.output)
        if counts.added + counts.known == 0, let other = counts.otherDatabase {
          invocation.log.warning(
            "\(file) is about \(other), not about this workspace's database. Name its project "
              + "with --project, or its database in firetally.yml.")
        }
        guard let problem = counts.firstProblem else { continue }
        isPartial = true
        invocation.log.warning(
          "\(file): \(NumberWords.counted(counts.rejected, "entry", "entries")) could not be read. "
            + "The first is \(problem).")
      }
      if isPartial { throw StatusOnly(status: .partial) }
    }

    private func print(
      _ counts: AuditImport.Counts, of file: String, on output: Output
    ) throws {
      try output.remark(
        "\(VisibleText.line(file)): \(counts.added) added, \(counts.known) known, "
          + "\(counts.others) of other databases or no reads, \(counts.rejected) rejected",
        always: true,
        json: [
          "message_type": "audit_import", "file": file, "added": counts.added,
          "known": counts.known, "others": counts.others, "rejected": counts.rejected,
        ])
    }
  }
}
