import Crypto
import Foundation
import Reports
import Workspace

/// A style sheet of the reader's own, as a report job names it:
/// docs/reports.md#your-own-style-sheet.
struct StyleSheetFile {
  /// Bytes; a page holds the whole sheet, and every page does.
  static let sizeLimit = 65_536

  /// As the job file or the command line has it, for messages.
  let name: String
  let path: String

  /// Throws `JobsError.file` when it cannot be read, `JobsError.styleSheet` with all that is wrong.
  func read() throws(JobsError) -> StyleSheet {
    let css = try text()
    let problems = StyleProblem.all(in: css).map { problem(line: $0.line, "\($0.violation)") }
    guard problems.isEmpty else { throw .styleSheet(ConfigurationError(problems)) }
    return StyleSheet(own: css) { css in
      "sha256-" + Data(SHA256.digest(of: css.utf8)).base64EncodedString()
    }
  }

  /// With line feeds alone between its lines, which is how a browser digests it.
  private func text() throws(JobsError) -> String {
    let bytes = try FileContents.bytes(of: path, limit: Self.sizeLimit + 1)
    guard bytes.count <= Self.sizeLimit else {
      throw refusal(
        line: 1,
        "is larger than \(Self.sizeLimit) bytes. Shorten it: every page includes it.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw refusal(line: line + 1, "is not UTF-8. Save it as UTF-8.")
    }
    let plain = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    return plain.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }

  private func problem(line: Int, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: name, line: line, message: message)
  }

  private func refusal(line: Int, _ message: String) -> JobsError {
    .styleSheet(ConfigurationError([problem(line: line, message)]))
  }
}
