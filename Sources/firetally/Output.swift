import Foundation
import Synchronization

/// Standard output and standard error as the commands use them.
///
/// What was asked for is always printed; remarks only to a person, that is on a terminal.
struct Output: Sendable {
  let isJSON: Bool
  let isQuiet: Bool
  let isVerbose: Bool
  let isTerminal: Bool
  let hasColour: Bool

  init(_ options: GlobalOptions, environment: [String: String]) {
    isJSON = options.json
    isQuiet = options.quiet
    isVerbose = options.verbose
    isTerminal = isatty(STDOUT_FILENO) == 1
    hasColour = isTerminal && !options.noColor && environment["NO_COLOR", default: ""].isEmpty
  }

  /// Prints what the command was asked for.
  func show(_ text: String) {
    write(text + "\n", to: .standardOutput)
  }

  /// Prints a remark, unless nobody is there to read it.
  func remark(_ text: String) {
    guard !isJSON, !isQuiet, isTerminal || isVerbose else { return }
    show(text)
  }

  /// Prints one JSON value with sorted keys, on one line.
  func show(json value: some Encodable) throws {
    show(try Self.line(value))
  }

  /// Prints to standard error, whatever the format.
  func complain(_ text: String) {
    write(text + "\n", to: .standardError)
  }

  static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func write(_ text: String, to file: FileHandle) {
    // A reader that went away (`| head`) ends the program through SIGPIPE, as in any other tool.
    try? file.write(contentsOf: Data(text.utf8))
  }
}
