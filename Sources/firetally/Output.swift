import Foundation

/// Standard output and standard error as the commands use them.
///
/// What was asked for is always printed; remarks only to a person, that is on a terminal.
struct Output: Sendable {
  let isJSON: Bool
  let isQuiet: Bool
  let isVerbose: Bool
  let isTerminal: Bool
  /// Whether a person is likely to see what it prints, on either stream.
  let isAttended: Bool
  let hasColour: Bool

  init(_ options: GlobalOptions, environment: [String: String]) {
    isJSON = options.json
    isQuiet = options.quiet
    isVerbose = options.verbose
    isTerminal = StandardStream.output.isTerminal
    isAttended = isTerminal || StandardStream.errors.isTerminal
    hasColour =
      !options.noColor && Self.hasColour(onTerminal: isTerminal, environment: environment)
  }

  /// Whether colours are wanted; see `docs/commands.md#colours`.
  ///
  /// `NO_COLOR` forbids them, `CLICOLOR_FORCE` demands them, `CLICOLOR=0` does without; otherwise a
  /// terminal has them.
  static func hasColour(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    if environment["NO_COLOR", default: ""] != "" { return false }
    if !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) { return true }
    return isTerminal && environment["CLICOLOR"] != "0"
  }

  /// The text in one of the terminal's colours, where there are colours.
  func coloured(_ text: String, _ colour: Colour) -> String {
    hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The colours of ECMA-48 that outcomes have.
  enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// Prints what the command was asked for.
  func show(_ text: String) {
    StandardStream.output.write(text + "\n")
  }

  /// Prints lines that were asked for, many at a time.
  ///
  /// - Throws: `CommandError.outputLost` as soon as there is no use in making more.
  func show(bytes: [UInt8]) throws {
    StandardStream.output.write(bytes)
    try Self.checkWritten()
  }

  /// Prints a remark on a terminal, or with `--verbose`; `always` anywhere but with `--quiet`.
  func remark(_ text: @autoclosure () -> String, always: Bool = false) {
    guard !isJSON, !isQuiet, always || isTerminal || isVerbose else { return }
    show(text())
  }

  /// Prints one JSON value with sorted keys, on one line.
  func show(json value: some Encodable) throws {
    show(try Self.line(value))
  }

  /// Writes what was asked for, byte by byte as it is.
  func write(_ bytes: [UInt8]) {
    StandardStream.output.write(bytes)
  }

  /// Prints to the terminal as it is, control sequences and all.
  func draw(_ text: String) {
    StandardStream.output.write(text)
  }

  static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Throws `CommandError.outputLost` when something that was asked for could not be printed.
  static func checkWritten() throws {
    if let loss = StandardStream.output.loss { throw CommandError.outputLost(loss) }
  }
}

/// Asks before something is removed.
enum Confirmation {
  /// Whether a person is there to read a question and to answer it.
  static func canAsk(_ invocation: Invocation) -> Bool {
    invocation.output.isAttended && isatty(STDIN_FILENO) == 1
  }

  /// Says what would happen, and waits for `y` or `yes`; everything else means no.
  static func isGiven(to statement: String, _ invocation: Invocation) -> Bool {
    let question = "\(statement) Go on? [y/N]"
    if invocation.output.isTerminal {
      invocation.output.show(question)
    } else {
      LineLog.answer(question)
    }
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }
}
