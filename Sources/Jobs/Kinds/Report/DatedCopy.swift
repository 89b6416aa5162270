import Glibc
import Reports

/// A copy of the reports of one day, built beside its place and moved there when it is whole.
///
/// Without `finish` nothing stays of it, and the copy that the day had before stays.
final class DatedCopy {
  private let history: HistoryFolder
  private let day: String
  private let folder: String
  private var isFinished = false

  /// - Throws: `JobsError.file`.
  init(of day: String, in history: HistoryFolder) throws(JobsError) {
    self.history = history
    self.day = day
    folder = AtomicFile.temporaryPath(for: "\(history.path)/\(day)", writer: history.writer)
    guard history.calls.makeFolder(folder) == 0 else {
      throw .file(FileFailure("make the folder", folder, code: errno))
    }
    try history.wrappingFailures { () throws(FileFailure) in
      try history.mode.apply(toFolder: folder)
    }
  }

  deinit {
    guard !isFinished else { return }
    do {
      try history.removeOwn(in: folder)
    } catch {
      // The next run settles what cannot be removed now; the error that led here is the one to
      // tell.
    }
  }

  /// - Throws: `JobsError.file`.
  func write(_ bytes: [UInt8], as name: String) throws(JobsError) {
    try history.wrappingFailures { () throws(FileFailure) in
      try AtomicFile.write(bytes, to: "\(folder)/\(name)", mode: history.mode, calls: history.calls)
    }
  }

  /// Writes the summary, which makes the copy a whole one, and gives it its place.
  ///
  /// - Throws: `JobsError.file`.
  func finish(_ summary: [UInt8]) throws(JobsError) {
    try write(summary, as: PastReport.fileName)
    try history.wrappingFailures { () throws(FileFailure) in try history.place(folder, on: day) }
    isFinished = true
  }
}
