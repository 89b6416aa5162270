import Feeds
import Foundation
import Jobs
import Reports

/// Prints what became of imported files, and ends the program accordingly.
struct ImportPrinter {
  private let output: Output
  private let log: LineLog
  private let rejects: String
  private let showsProgress: Bool
  private let elapsed: @Sendable () -> Duration
  private var progressShownAt = Duration.zero
  private var problem: FeedError?
  private var rejectedCount = 0

  init(_ invocation: Invocation, rejects: String) {
    output = invocation.output
    log = invocation.log
    elapsed = invocation.elapsed
    self.rejects = rejects
    showsProgress = !output.isQuiet && !output.isJSON && isatty(STDERR_FILENO) == 1
  }

  /// One line that is overwritten, on a terminal only, a few times a second.
  mutating func progress(_ counts: ExportImport.Counts, of file: String) {
    guard showsProgress, elapsed() - progressShownAt >= .milliseconds(200) else { return }
    progressShownAt = elapsed()
    write("\r\u{1B}[K\(VisibleText.line(file)): \(counts.lines) lines")
  }

  mutating func show(_ counts: ExportImport.Counts, of file: String) {
    clear()
    rejectedCount += counts.rejected
    if output.isJSON {
      // Numbers and a text always encode.
      try? output.show(json: Line(file: file, counts))
    } else {
      output.remark(
        "\(VisibleText.line(file)): \(counts.added) added, \(counts.known) known, "
          + "\(counts.rejected) rejected")
    }
    if counts.rejected > 0 {
      log.warn(
        "\(file): \(counts.rejected) of \(counts.lines) lines are no events; see \(rejects)")
    }
  }

  /// Keeps the first problem for the end; those after it are told at once.
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
    guard progressShownAt > .zero else { return }
    progressShownAt = .zero
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  private struct Line: Encodable {
    let message_type = "import"
    let file: String
    let lines: Int
    let added: Int
    let known: Int
    let rejected: Int

    init(file: String, _ counts: ExportImport.Counts) {
      self.file = file
      lines = counts.lines
      added = counts.added
      known = counts.known
      rejected = counts.rejected
    }
  }
}
