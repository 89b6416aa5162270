import ArgumentParser
import Feeds
import Jobs

extension EventsCommand {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import events from GA4's BigQuery export.",
      discussion: """
        Reads NDJSON, plain or gzip, and adds the events that the ledger lacks: importing a file \
        twice adds nothing. Lines that are not events are counted and listed; the status is \
        then 3. To continue an interrupted import, run it again.

        EXAMPLES:
          firetally events import export.ndjson
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var turn: LockOptions

    @Option(
      help: ArgumentHelp(
        "File for rejected lines. Default: data/rejects/import.txt.",
        valueName: "file"))
    var rejects: String?

    @Argument(help: ArgumentHelp("The export's files; - is standard input.", valueName: "file"))
    var files: [String]

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.store()
      let lock = try await invocation.lock(opened, store: store, wait: turn)
      defer { lock.release() }
      let list = rejects ?? opened.workspace.path("data/rejects/import.txt")
      var printer = ImportPrinter(invocation, rejects: list)
      for file in files {
        do {
          let engine = ExportImport(store: store, rejects: list)
          printer.show(try await engine.run(file) { printer.progress($0, of: file) }, of: file)
        } catch let error as FeedError {
          // The files after it can be read all the same.
          printer.fail(error)
        }
      }
      try printer.end()
    }
  }
}
