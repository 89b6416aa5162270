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

  /// Prints lines that were asked for, many at a time.
  ///
  /// - Throws: `CommandError.outputLost` as soon as there is no use in making more.
  func show(bytes: [UInt8]) throws {
    write(Data(bytes), to: .standardOutput)
    try Self.checkWritten()
  }

  /// Prints a remark, unless nobody is there to read it.
  func remark(_ text: @autoclosure () -> String) {
    guard !isJSON, !isQuiet, isTerminal || isVerbose else { return }
    show(text())
  }

  /// Prints one JSON value with sorted keys, on one line.
  func show(json value: some Encodable) throws {
    show(try Self.line(value))
  }

  /// Writes what was asked for, byte by byte as it is.
  func write(_ bytes: [UInt8]) {
    write(Data(bytes), to: .standardOutput)
  }

  /// Prints to the terminal as it is, control sequences and all.
  func draw(_ text: String) {
    write(text, to: .standardOutput)
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

  /// Throws `CommandError.outputLost` when something that was asked for could not be printed.
  static func checkWritten() throws {
    if let reason = lost.withLock(\.self) { throw CommandError.outputLost(reason: reason) }
  }

  /// Why something could not be printed, for the end of the program; nil as long as all could.
  private static let lost = Mutex<String?>(nil)

  private func write(_ text: String, to file: FileHandle) {
    write(Data(text.utf8), to: file)
  }

  private func write(_ data: Data, to file: FileHandle) {
    do {
      // A reader that went away (`| head`) ends the program through SIGPIPE, as in any other tool.
      try file.write(contentsOf: data)
    } catch {
      Self.lost.withLock { $0 = $0 ?? error.localizedDescription }
    }
  }
}
