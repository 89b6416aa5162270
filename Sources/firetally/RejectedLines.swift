import Logging

/// Tells standard error about the lines of a file that could not be used, the first ones by name.
final class RejectedLines {
  private(set) var count = 0
  private let file: String
  private let log: LineLog

  /// More of them are counted only; docs/replay.md#replay.
  static let mostPrinted = 20

  init(of file: String, log: LineLog) {
    self.file = file
    self.log = log
  }

  func add(line: Int, reason: String) {
    count += 1
    guard count <= Self.mostPrinted else { return }
    printLine(
      "\(file):\(line): \(reason)", as: "bad_line",
      ["file": file, "line": line, "reason": reason])
  }

  /// Says how many more there were, and ends with the status that their number means.
  ///
  /// - Throws: `StatusOnly` when some lines were good, `CommandError.noGoodLine` when none was.
  func settle(goodLines: Int) throws {
    guard count > 0 else { return }
    if count > Self.mostPrinted {
      printLine("and \(count - Self.mostPrinted) more", as: "bad_lines")
    }
    guard goodLines > 0 else { throw CommandError.noGoodLine(file: file, lines: count) }
    throw StatusOnly(status: .partial)
  }

  /// As compilers do, so that editors find the place; no line of a log.
  private func printLine(_ text: String, as type: String, _ details: JSONObject = [:]) {
    guard log.isJSON else { return StandardStream.errors.write(text + "\n") }
    var line = LogLine(.warning, text)
    (line.type, line.details) = (type, details)
    log.say(line)
  }
}
