import ArgumentParser
import Feeds
import Foundation
import Jobs
import Store

extension EventsCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Export events in the form of GA4's BigQuery export, oldest first.",
      discussion: """
        Writes NDJSON that `firetally events import` reads, to standard output, or with --output to \
        a file that appears once it is complete.

        EXAMPLES:
          firetally events export --output events.ndjson.gz --gzip
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Option(
      name: [.short, .long, .customLong("to-file")],
      help: ArgumentHelp("The file to write or replace.", valueName: "file"))
    var output: String?

    @Flag(help: "Compress with gzip.")
    var gzip = false

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      guard let output else {
        let count = try write(from: store, to: STDOUT_FILENO, named: "standard output")
        return invocation.log.note("\(count) events written.")
      }
      let draft = try DraftFile(for: output)
      let count = try write(from: store, to: draft.descriptor, named: output)
      try draft.finish()
      guard invocation.output.isJSON else {
        return invocation.output.remark("\(count) events written to \(output)")
      }
      try invocation.output.show(json: JSONOutput(file: output, events: count))
    }

    /// Returns how many events were written.
    private func write(
      from store: Store, to descriptor: Int32, named path: String
    ) throws -> Int {
      let writer = try GA4ExportWriter(descriptor: descriptor, path: path, isGzip: gzip)
      var count = 0
      do {
        try store.read { reader in
          try reader.forEachEvent(selection.filter) { event in
            if count.isMultiple(of: 10_000) { try Task.checkCancellation() }
            try writer.write(event)
            count += 1
          }
        }
        try writer.finish()
      } catch FeedError.cannotWrite where descriptor == STDOUT_FILENO {
        throw CommandError.outputLost(.init(stream: .output, code: writer.failureCode))
      }
      return count
    }

    private struct JSONOutput: Encodable {
      let message_type = "export"
      let file: String
      let events: Int
    }
  }
}
