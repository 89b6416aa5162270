import Feeds
import Glibc

/// Where lines that could not be read are listed: `file:line: reason: beginning of the line`.
struct RejectsFile {
  /// More of one run are counted but not listed.
  static let longestList = 10_000
  private static let mostBytes = 64 << 20

  private let path: String
  private var file = ""
  private var lines: [String] = []
  private var listedCount = 0

  init(path: String) {
    self.path = path
  }

  /// Turns to the lines of another file; those of one that was not written are dropped.
  mutating func begin(_ file: String) {
    self.file = file
    lines = []
  }

  mutating func add(_ rejection: GA4Export.Rejection) {
    guard listedCount < Self.longestList else { return }
    listedCount += 1
    let text = rejection.text.map { $0.isNewline ? " " : String($0) }.joined()
    lines.append("\(file):\(rejection.line): \(rejection.reason): \(text)")
  }

  /// Replaces what the list says of the file that was read; other files' lines stay.
  func write() throws(JobsError) {
    let before = try present().split(separator: "\n").map(String.init)
    let after = before.filter { !$0.hasPrefix("\(file):") } + lines
    guard after != before else { return }
    try AtomicFile.write(Array(after.map { $0 + "\n" }.joined().utf8), to: path)
  }

  private func present() throws(JobsError) -> String {
    do {
      return String(
        decoding: try FileContents.bytes(of: path, limit: Self.mostBytes), as: UTF8.self)
    } catch  where error.code == ENOENT {
      return ""
    } catch {
      throw .file(error)
    }
  }
}
