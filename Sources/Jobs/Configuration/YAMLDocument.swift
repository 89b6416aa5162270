import Yams

/// The text of a YAML file as a tree of nodes, refused when it is too big or too deep to be meant.
///
/// Bounds: `docs/jobs.md#yaml`.
enum YAMLDocument {
  static let maxBytes = 65_536
  /// Aliases of aliases grow exponentially; with this many even the worst stays small.
  static let maxAliases = 12

  /// - Throws: `ConfigurationError` with the one problem that stops the reading.
  static func root(of source: SourceFile) throws(ConfigurationError) -> Node {
    let text = try text(of: source)
    guard let node = try parsed(text, file: source.path), !Scalar.isNull(node) else {
      throw problem("the file is empty; write at least one 'key: value' line", in: source.path)
    }
    return node
  }

  private static func text(of source: SourceFile) throws(ConfigurationError) -> String {
    guard source.bytes.count <= maxBytes else {
      throw problem("the file is bigger than \(maxBytes) bytes", in: source.path)
    }
    guard let text = String(validating: source.bytes, as: UTF8.self) else {
      throw problem(
        "the line is not UTF-8; save the file as UTF-8", in: source.path,
        line: firstBrokenLine(of: source.bytes))
    }
    guard aliasCount(in: source.bytes) <= maxAliases else {
      throw problem("the file has more than \(maxAliases) YAML aliases (*name)", in: source.path)
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  private static func parsed(_ text: String, file: String) throws(ConfigurationError) -> Node? {
    do {
      // The basic resolver leaves types to `Scalar` and spares seven regular expressions. Yams
      // keeps a pointer into the string, which a string of under 16 bytes does not have.
      let padded = text.utf8.count < 16 ? text + String(repeating: "\n", count: 16) : text
      return try Parser(yaml: padded, resolver: .basic, encoding: .utf8).singleRoot()
    } catch {
      let end = text.lastIndex { !$0.isNewline } ?? text.startIndex
      let found = problem(of: error, in: file, lineCount: lineCount(of: text[..<end]))
      throw tabProblem(found, in: text) ?? found
    }
  }

  private static func problem(
    of error: any Error, in file: String, lineCount: Int
  ) -> ConfigurationError {
    let (message, mark): (String, (line: Int, column: Int)?) =
      switch error {
      case YamlError.scanner(let context, let problem, let mark, _),
        YamlError.parser(let context, let problem, let mark, _),
        YamlError.composer(let context, let problem, let mark, _):
        (sentence(context, problem), (mark.line, mark.column))
      case YamlError.reader(let problem, let offset, _, let yaml):
        (problem, offset.map { place(of: $0, in: yaml) })
      case YamlError.duplicatedKeysInMapping(let keys, let context):
        (
          "the same key twice: \(keys.joined(separator: ", "))",
          (context.mark.line, context.mark.column)
        )
      case YamlError.memory: ("nested too deeply", nil)
      default: (String(describing: error), nil)
      }
    return problem(
      "not valid YAML: \(message)", in: file, line: min(mark?.line ?? 1, lineCount),
      column: mark?.column)
  }

  /// The problem of a line that a tab indents, which the parser describes and does not name; nil
  /// for another.
  private static func tabProblem(
    _ found: ConfigurationError, in text: String
  ) -> ConfigurationError? {
    guard let place = found.problems.first else { return nil }
    let line =
      text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .dropFirst(place.line - 1).first ?? ""
    let indentation = line.prefix { " \t-".contains($0) }
    guard let tab = indentation.firstIndex(of: "\t") else { return nil }
    return problem(
      "not valid YAML: the line is indented with a tab; YAML takes only spaces there",
      in: place.file, line: place.line,
      column: line.distance(from: line.startIndex, to: tab) + 1)
  }

  private static func sentence(_ context: YamlError.Context?, _ problem: String) -> String {
    guard let text = context?.text, !text.isEmpty else { return problem }
    return "\(text), \(problem)"
  }

  private static func place(of offset: Int, in yaml: String) -> (line: Int, column: Int) {
    let before = yaml.prefix(offset)
    let start = before.lastIndex(where: \.isNewline).map(before.index(after:))
    return (lineCount(of: before), before[(start ?? before.startIndex)...].unicodeScalars.count + 1)
  }

  private static func lineCount(of text: Substring) -> Int {
    text.count(where: \.isNewline) + 1
  }

  private static func problem(
    _ message: String, in file: String, line: Int = 1, column: Int? = nil
  ) -> ConfigurationError {
    ConfigurationError([
      ConfigurationProblem(file: file, line: line, column: column, message: message)
    ])
  }

  private static func firstBrokenLine(of bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let broken = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    return (broken ?? 0) + 1
  }

  /// Counts every `*` that a name follows, also in comments and quotes: too many, never too few.
  private static func aliasCount(in bytes: [UInt8]) -> Int {
    zip(bytes, bytes.dropFirst()).count { $0 == UInt8(ascii: "*") && isNameByte($1) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return scalar.properties.isAlphabetic || byte >= 0x80 || scalar == "_" || scalar == "-"
      || ("0"..."9").contains(scalar)
  }
}
