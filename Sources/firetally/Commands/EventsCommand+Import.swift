import ArgumentParser
import Feeds
import Jobs

extension EventsCommand {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Add the events of GA4's BigQuery export.",
      discussion: """
        Reads NDJSON, plain or gzip, and adds the events that the ledger does not hold: a file \
        that is imported again adds nothing. Lines that are no events are counted and listed, \
        and make the status 3. An interrupted import runs again from the start and adds the rest.
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var turn: LockOptions

    @Option(
      help: ArgumentHelp(
        "Where lines that are no events are listed, instead of data/rejects/import.txt.",
        valueName: "file"))
    var rejects: String?

    @Argument(help: ArgumentHelp("The export's files; - is standard input.", valueName: "file"))
    var files: [String]

    func run() async throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let store = try desk.store()
      let lock = try await invocation.lock(desk, store: store, wait: turn.wait)
      defer { lock.release() }
      let list = rejects ?? desk.workspace.path("data/rejects/import.txt")
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
