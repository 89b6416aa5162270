import Feeds

/// Where lines that could not be read are listed: `file:line: reason: beginning of the line`.
struct RejectsFile {
  /// More of one run are counted but not listed.
  static let longestList = 10_000
  private static let mostBytes = 64 << 20

  private let path: String
  private var lines: [String] = []

  init(path: String) {
    self.path = path
  }

  mutating func add(_ rejection: GA4Export.Rejection, of file: String) {
    guard lines.count < Self.longestList else { return }
    let text = rejection.text.map { $0.isNewline ? " " : String($0) }.joined()
    lines.append("\(file):\(rejection.line): \(rejection.reason): \(text)")
  }

  /// Replaces what the list says of the files that were read; other files' lines stay.
  func write(replacing files: [String]) throws(JobsError) {
    let kept = try present().split(separator: "\n").filter { line in
      !files.contains { line.hasPrefix("\($0):") }
    }
    let all = kept.map(String.init) + lines
    guard !all.isEmpty || !kept.isEmpty else { return }
    try AtomicFile.write(Array(all.map { $0 + "\n" }.joined().utf8), to: path)
  }

  private func present() throws(JobsError) -> String {
    do {
      return String(
        decoding: try FileContents.bytes(of: path, limit: Self.mostBytes), as: UTF8.self)
    } catch  where error.code == 2 {
      return ""
    } catch {
      throw .file(error)
    }
  }
}
