import ArgumentParser
import Firestore
import Foundation
import Model

/// Standard output and standard error of a command.
///
/// Requested output is always printed, remarks only on a terminal.
struct Output: Sendable {
  let isJSON: Bool
  let isQuiet: Bool
  let isVerbose: Bool
  let isTerminal: Bool
  /// Whether it is a terminal that supports redrawing of lines.
  let canDraw: Bool
  /// Whether a person is likely to see the output of either stream.
  let isAttended: Bool
  let hasColour: Bool

  init(_ options: GlobalOptions, environment: [String: String]) {
    isJSON = options.json
    isQuiet = options.quiet
    isVerbose = options.verbose
    isTerminal = StandardStream.output.isTerminal
    canDraw = isTerminal && Self.canDraw(environment)
    isAttended = isTerminal || StandardStream.errors.isTerminal
    hasColour =
      !options.noColor && Self.hasColour(onTerminal: isTerminal, environment: environment)
  }

  /// Whether to use colours; see `docs/commands.md#colours`.
  ///
  /// `NO_COLOR` forbids them, `CLICOLOR_FORCE` demands them, `CLICOLOR=0` turns them off; otherwise
  /// a terminal with control sequences has colours.
  static func hasColour(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    if environment["NO_COLOR", default: ""] != "" { return false }
    if !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) { return true }
    return isTerminal && environment["CLICOLOR"] != "0" && Self.canDraw(environment)
  }

  /// Whether a terminal supports control sequences; one with `TERM=dumb` prints them.
  static func canDraw(_ environment: [String: String]) -> Bool { environment["TERM"] != "dumb" }

  /// Returns the text in a terminal colour, if colours are used.
  func coloured(_ text: String, _ colour: Colour) -> String {
    hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// ECMA-48's graphic renditions; orange is the nearest of the 256 colours.
  enum Colour: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case orange = "38;5;208"
  }

  /// Prints requested output.
  func print(_ text: String) {
    StandardStream.output.write(text + "\n")
  }

  /// Prints one JSON value with sorted keys, on one line.
  func print(json value: some Encodable) throws {
    print(try StoredJSON.text(of: value))
  }

  /// The same of an object that is written out.
  func print(json object: JSONObject) throws {
    print(try StoredJSON.text(of: object))
  }

  /// Prints a value for programs, or a text for people.
  func print(
    _ text: @autoclosure () throws -> String, json: @autoclosure () throws -> some Encodable
  ) throws {
    isJSON ? try print(json: try json()) : print(try text())
  }

  /// The same of an object that is written out.
  func print(
    _ text: @autoclosure () throws -> String, json: @autoclosure () throws -> JSONObject
  ) throws {
    isJSON ? try print(json: try json()) : print(try text())
  }

  /// Prints one object per row for programs, or a table for people.
  ///
  /// The object also has the members of `whole`. A compact one lacks members without a value.
  func print<Row>(
    _ rows: some Sequence<Row>, as type: String, isCompact: Bool = false,
    _ columns: [OutputColumn<Row>], whole: (Row) -> (any Encodable & Sendable)? = { _ in nil }
  ) throws {
    guard isJSON else { return print(columns.table(of: rows).text) }
    for row in rows {
      let object = columns.object(of: row, as: type)
      let members = isCompact ? .compact(object) : object
      try print(json: whole(row).map { JSONObject($0, members) } ?? members)
    }
  }

  /// Prints a block of requested lines.
  ///
  /// - Throws: `CommandError.outputLost` as soon as further output is useless.
  func print(bytes: [UInt8]) throws {
    write(bytes)
    try Self.checkWritten()
  }

  /// Writes bytes unchanged, including control sequences.
  func write(_ bytes: some Sequence<UInt8>) {
    StandardStream.output.write(bytes)
  }

  /// Prints a remark on a terminal or with `--verbose`; with `always` everywhere except with
  /// `--quiet`.
  func remark(_ text: @autoclosure () -> String, always: Bool = false) {
    guard !isJSON, !isQuiet, always || isTerminal || isVerbose else { return }
    print(text())
  }

  /// Prints an object for programs, or a remark for people.
  func remark(
    _ text: @autoclosure () -> String, always: Bool = false, json: @autoclosure () -> JSONObject
  ) throws {
    isJSON ? try print(json: json()) : remark(text(), always: always)
  }

  /// Throws `CommandError.outputLost` when some requested output could not be printed.
  static func checkWritten() throws {
    if let loss = StandardStream.output.loss { throw CommandError.outputLost(loss) }
  }
}

/// A JSON object of `--json`; a member without a value is null, or missing if the object is
/// `compact`.
struct JSONObject: Encodable, Sendable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var members: [String: (any Encodable & Sendable)?]
  /// A value whose members also belong to the object.
  private var base: (any Encodable & Sendable)?

  init(_ members: [String: (any Encodable & Sendable)?]) { self.members = members }

  init(dictionaryLiteral members: (String, (any Encodable & Sendable)?)...) {
    self.members = Dictionary(members) { _, last in last }
  }

  /// Creates an object with the members of a value that is encoded as an object, and others.
  init(_ base: any Encodable & Sendable, _ others: JSONObject) {
    self = others
    self.base = base
  }

  /// Returns the object without members that have no value.
  static func compact(_ object: JSONObject) -> JSONObject {
    var object = object
    object.members = object.members.filter { $0.value != nil }
    return object
  }

  /// Returns the members of both; for common names the value in `other`.
  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    merged.members.merge(other.members) { _, last in last }
    return merged
  }

  func encode(to encoder: any Encoder) throws {
    try base?.encode(to: encoder)
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value {
        try container.encode(value, forKey: Name(stringValue: name))
      } else {
        try container.encodeNil(forKey: Name(stringValue: name))
      }
    }
  }
}

extension JSON: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .number(let text):
      // A decimal keeps the digits as they are, and holds fewer powers of ten than a double.
      if let integer = Int64(text) {
        try container.encode(integer)
      } else if let decimal = Decimal(string: text) {
        try container.encode(decimal)
      } else {
        try container.encode(Double(text))
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension Invocation {
  /// Asks for confirmation before a removal, unless `yes` was given.
  ///
  /// `refusal` is thrown when nobody can be asked; nil continues.
  ///
  /// - Throws: `CommandError` when the answer is not `y` or `yes`.
  func confirm(
    _ statement: @autoclosure () throws -> String, yes: Bool, elseRefuse refusal: (any Error)? = nil
  ) throws {
    guard !yes else { return }
    guard output.isAttended, isatty(STDIN_FILENO) == 1 else {
      if let refusal { throw refusal }
      return
    }
    let question = "\(try statement()) Go on? [y/N]"
    if output.isTerminal { output.print(question) } else { LineLog.print(question) }
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandError(.failed, "Nothing was changed.")
    }
  }
}

/// The largest number of rows to print.
struct CountOption: ParsableArguments {
  @Option(parsing: .unconditional, help: "How many, 1 to 10000.")
  var limit = 20

  private static let limits = 1...10_000

  func validate() throws { try Self.limits.check(limit, "--limit") }

  /// One more row than is printed, which shows whether there are more.
  var fetched: Int { limit + 1 }

  /// Prints a line at the end of a truncated list, except for programs: docs/commands.md.
  func printMore(of rows: some Collection, on output: Output) {
    guard rows.count > limit, !output.isJSON else { return }
    output.print(moreWords)
  }

  /// The last line of a truncated list.
  var moreWords: String {
    let most = Self.limits.upperBound
    return limit < most ? "more: --limit \(min(10 * limit, most))" : "more"
  }
}

extension ParsableArguments {
  /// - Throws: `ValidationError` for an option whose folder is an empty text.
  func checkFolder(_ folder: String?, _ option: String, default place: String) throws {
    guard folder != "" else {
      throw ValidationError("\(option) needs a folder; leave it out for \(place).")
    }
  }
}

extension ClosedRange<Int> {
  /// - Throws: `ValidationError` for an option's number outside the range; nil means no number.
  func check(_ number: Int?, _ option: String) throws {
    guard let number, !contains(number) else { return }
    throw ValidationError("\(option) takes \(lowerBound) to \(upperBound).")
  }
}
