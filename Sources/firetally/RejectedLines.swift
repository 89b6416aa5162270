/// Tells standard error about the lines of a file that could not be used, the first ones by name.
final class RejectedLines {
  private(set) var count = 0
  private let file: String
  private let output: Output

  /// More of them are counted only; docs/rules.md#replay.
  static let mostTold = 20

  init(of file: String, output: Output) {
    self.file = file
    self.output = output
  }

  func add(line: Int, reason: String) throws {
    count += 1
    guard count <= Self.mostTold else { return }
    let text = "\(file):\(line): \(reason)"
    guard output.isJSON else { return output.complain(text) }
    output.complain(
      try Output.line(BadLine(file: file, line: line, reason: reason, message: text)))
  }

  /// Says how many more there were, and ends with the status that their number means.
  ///
  /// - Throws: `StatusOnly` when some lines were good, `CommandError.noGoodLine` when none was.
  func settle(goodLines: Int) throws {
    guard count > 0 else { return }
    if count > Self.mostTold {
      let text = "and \(count - Self.mostTold) more"
      output.complain(
        output.isJSON ? try Output.line(["message_type": "bad_lines", "message": text]) : text)
    }
    guard goodLines > 0 else { throw CommandError.noGoodLine(file: file, lines: count) }
    throw StatusOnly(status: .partial)
  }
}

private struct BadLine: Encodable {
  let message_type = "bad_line"
  let file: String
  let line: Int
  let reason: String
  let message: String
}
