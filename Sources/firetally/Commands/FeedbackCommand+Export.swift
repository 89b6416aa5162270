import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store

extension FeedbackCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Export all feedback, oldest first.",
      discussion: """
        Writes to standard output, or with --to to a file that appears once it is complete.

        EXAMPLES:
          firetally feedback export --to feedback.csv
          firetally feedback export --format ndjson
        """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case csv, json, ndjson
    }

    @OptionGroup var global: GlobalOptions

    @Option(help: "csv, json or ndjson.")
    var format = Format.csv

    @Option(help: ArgumentHelp("The file to write or replace.", valueName: "file"))
    var to: String?

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      guard let to else {
        _ = try write(from: store) { invocation.output.write($0) }
        return
      }
      let draft = try DraftFile(for: to)
      let count = try write(from: store) { bytes in
        try bytes.withUnsafeBytes { try draft.write($0) }
      }
      try draft.finish()
      guard invocation.output.isJSON else {
        return invocation.output.remark("\(count) texts written to \(to)")
      }
      try invocation.output.show(json: JSONOutput(file: to, entries: count))
    }

    /// Hands over the bytes of one entry after the other, and returns how many entries those were.
    private func write(from store: Store, _ write: ([UInt8]) throws -> Void) throws -> Int {
      var count = 0
      try write(beginning)
      try store.read { reader in
        try reader.forEachFeedback { entry in
          try write(try bytes(of: entry, isFirst: count == 0))
          count += 1
        }
      }
      try write(end(isEmpty: count == 0))
      return count
    }

    private var beginning: [UInt8] {
      switch format {
      case .csv: FeedbackCSV.head
      case .json: Array("[".utf8)
      case .ndjson: []
      }
    }

    private func bytes(of entry: RatingsData.FeedbackEntry, isFirst: Bool) throws -> [UInt8] {
      switch format {
      case .csv: return FeedbackCSV.line(of: entry)
      case .json: return Array(((isFirst ? "\n" : ",\n") + (try Output.line(Entry(entry)))).utf8)
      case .ndjson: return Array((try Output.line(Entry(entry)) + "\n").utf8)
      }
    }

    private func end(isEmpty: Bool) -> [UInt8] {
      format == .json ? Array((isEmpty ? "]\n" : "\n]\n").utf8) : []
    }

    private struct JSONOutput: Encodable {
      let message_type = "export"
      let file: String
      let entries: Int
    }
  }

  /// One text with all that is known of it; a record of an export, no message of the program.
  private struct Entry: Encodable {
    let writtenAt: Instant
    let stars: Int
    let text: String
    let userId: String
    let gender: String
    let country: String
    let appVersion: String
    let origin: RatingsData.FeedbackEntry.Origin
    let state: OutboxItem.State?
    let document: String?

    init(_ entry: RatingsData.FeedbackEntry) {
      let feedback = entry.feedback
      writtenAt = Instant(unixSeconds: feedback.timestamp)
      stars = feedback.stars
      text = feedback.text
      userId = feedback.userId
      gender = feedback.gender
      country = feedback.country
      appVersion = feedback.appVersion
      origin = entry.origin
      state = entry.state
      document = entry.remoteName
    }
  }
}
