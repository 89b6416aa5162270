import Feeds
import Foundation
import Jobs
import Reports

/// Prints what became of imported files, and ends the program accordingly.
struct ImportPrinter {
  private let output: Output
  private let log: LineLog
  private let rejects: String
  private let line: ProgressLine
  /// Lines of the present file that were shown; nil before its first ones.
  private var shownLines: Int?
  private var problem: FeedError?
  private var rejectedCount = 0

  init(_ invocation: Invocation, rejects: String) {
    output = invocation.output
    log = invocation.log
    line = invocation.progressLine
    self.rejects = rejects
  }

  /// Shows how far the file is read, on a terminal.
  mutating func progress(_ counts: ExportImport.Counts, of file: String) {
    if shownLines == nil { line.begin(file, "lines", total: nil) }
    line.advance(by: counts.lines - (shownLines ?? 0), total: counts.expectedLines)
    shownLines = counts.lines
  }

  mutating func show(_ counts: ExportImport.Counts, of file: String) {
    clear()
    rejectedCount += counts.rejected
    if output.isJSON {
      // Numbers and a text always encode.
      try? output.show(json: JSONOutput(file: file, counts))
    } else {
      output.remark(
        "\(VisibleText.line(file)): \(counts.added) added, \(counts.known) known, "
          + "\(counts.rejected) rejected"
          + (counts.erased > 0 ? ", \(counts.erased) of erased people left out" : ""))
    }
    if counts.rejected > 0 {
      log.warn(
        "\(file): \(counts.rejected) of \(counts.lines) lines are no events; see \(rejects)")
    }
  }

  /// Keeps the first problem for the end; later ones are printed at once.
  mutating func fail(_ error: FeedError) {
    clear()
    if problem == nil { problem = error } else { log.warn("\(error)") }
  }

  /// Throws what the program ends with, unless every line was an event.
  func end() throws {
    if let problem { throw problem }
    if rejectedCount > 0 { throw StatusOnly(status: .partial) }
  }

  private mutating func clear() {
    shownLines = nil
    line.end()
  }

  private struct JSONOutput: Encodable {
    let message_type = "import"
    let file: String
    let lines: Int
    let added: Int
    let known: Int
    let rejected: Int
    let erased: Int

    init(file: String, _ counts: ExportImport.Counts) {
      self.file = file
      lines = counts.lines
      added = counts.added
      known = counts.known
      rejected = counts.rejected
      erased = counts.erased
    }
  }
}
