import Crypto
import Foundation
import Model
import ReportWriters
import Workspace

/// The reader's own style sheet, which a report job names: docs/reports.md#your-own-style-sheet.
struct StyleSheetFile {
  /// In bytes; every page contains the whole sheet.
  static let sizeLimit = 65_536

  /// The name in the job file or on the command line, for messages.
  let name: String
  let path: String

  /// Reads the sheet; throws `WorkspaceError.file`, or `WorkspaceError.styleSheet` with all
  /// problems.
  func read() throws(WorkspaceError) -> StyleSheet {
    let css = try text()
    let problems = StyleProblem.all(in: css).map { problem(line: $0.line, "\($0.violation)") }
    guard problems.isEmpty else { throw .styleSheet(ConfigurationError(problems)) }
    return StyleSheet(own: css) { css in
      "sha256-" + Data(SHA256.digest(of: css.utf8)).base64EncodedString()
    }
  }

  /// Returns the text with line feeds as its only line ends, for the hash that browsers check.
  private func text() throws(WorkspaceError) -> String {
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
    return text.withoutByteOrderMark.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }

  private func problem(line: Int, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: name, line: line, message: message)
  }

  private func refusal(line: Int, _ message: String) -> WorkspaceError {
    .styleSheet(ConfigurationError([problem(line: line, message)]))
  }
}
