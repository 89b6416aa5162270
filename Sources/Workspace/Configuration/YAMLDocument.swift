import Model
package import Yams

/// A parser of YAML files into trees of nodes, with limits of size and depth.
///
/// Bounds: `docs/jobs.md#yaml`.
package enum YAMLDocument {
  package static let maxBytes = 65_536
  /// Aliases of aliases grow exponentially; with this number even the worst case stays small.
  package static let maxAliases = 12

  /// - Throws: `ConfigurationError` with the problem that stopped the parser.
  package static func root(of source: SourceFile) throws(ConfigurationError) -> Node {
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
    let stars = starCount(in: source.bytes)
    let aliases = stars > maxAliases ? try aliasCount(in: text, file: source.path) : stars
    guard aliases <= maxAliases else {
      throw problem("the file has more than \(maxAliases) YAML aliases (*name)", in: source.path)
    }
    return text.withoutByteOrderMark
  }

  private static func parsed(_ text: String, file: String) throws(ConfigurationError) -> Node? {
    do {
      // The basic resolver leaves types to `Scalar` and saves seven regular expressions. Yams keeps
      // a pointer into the string, which a string of under 16 bytes does not have.
      let padded = text.utf8.count < 16 ? text + String(repeating: "\n", count: 16) : text
      return try Parser(yaml: padded, resolver: .basic, encoding: .utf8).singleRoot()
    } catch {
      let end = text.lastIndex { !$0.isNewline } ?? text.startIndex
      let found = problem(of: error, in: file, lineCount: lineCount(of: text[..<end]))
      throw tabProblem(found, in: text) ?? surrogateProblem(found, in: text)
        ?? signProblem(found, in: text) ?? found
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
          // Not every key is shown: a secret on its own in braces is read as a key.
          "the same key twice" + names(of: keys),
          (context.mark.line, context.mark.column)
        )
      case YamlError.memory: ("nested too deeply", nil)
      default: (String(describing: error), nil)
      }
    return problem(
      "not valid YAML: \(message)", in: file, line: min(mark?.line ?? 1, lineCount),
      column: mark?.column)
  }

  /// Returns the keys that are words, for the end of a sentence.
  private static func names(of keys: [String]) -> String {
    let words = keys.filter { $0.wholeMatch(of: /[A-Za-z][A-Za-z_]{0,39}/) != nil }
    return words.isEmpty ? "" : ": \(words.joined(separator: ", "))"
  }

  /// Returns the problem of a line that is indented by a tab, for which the parser has no clear
  /// message; nil for other problems.
  private static func tabProblem(
    _ found: ConfigurationError, in text: String
  ) -> ConfigurationError? {
    guard let place = found.problems.first else { return nil }
    let line = line(place.line, of: text)
    let isBlank = line.allSatisfy { " \t".contains($0) }
    let indentation = line.prefix { " \t-".contains($0) }
    guard let tab = indentation.firstIndex(of: "\t") else { return nil }
    return problem(
      isBlank
        ? "the line holds nothing but a tab, which cannot be read; empty the line"
        : "not valid YAML: the line is indented with a tab; YAML takes only spaces there",
      in: place.file, line: place.line,
      column: line.distance(from: line.startIndex, to: tab) + 1)
  }

  /// Returns the problem of a character that JSON writes as two escapes; nil for other problems.
  private static func surrogateProblem(
    _ found: ConfigurationError, in text: String
  ) -> ConfigurationError? {
    guard let place = found.problems.first, place.message.contains("Unicode character escape"),
      let match = line(place.line, of: text).firstMatch(
        of: /\\u([Dd][89A-Fa-f][0-9A-Fa-f]{2})(\\u([Dd][C-Fc-f][0-9A-Fa-f]{2}))?/)
    else { return nil }
    let high = UInt32(match.output.1, radix: 16) ?? 0
    let low = match.output.3.flatMap { UInt32($0, radix: 16) }
    let scalar = low.flatMap { Unicode.Scalar(0x1_0000 + (high - 0xD800) * 0x400 + $0 - 0xDC00) }
    let advice =
      scalar.map { scalar in
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: 8 - digits.utf8.count)
        return "is half a character of JSON's; write \(scalar) or \\U\(zeros)\(digits)"
      } ?? "is half a character; write the whole one"
    return problem(
      "not valid YAML: \\u\(match.output.1) \(advice)", in: place.file, line: place.line,
      column: place.column)
  }

  private static func line(_ number: Int, of text: String) -> Substring {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .dropFirst(number - 1).first ?? ""
  }

  /// Returns the problem of an unquoted value that begins with a YAML indicator, as a schedule may;
  /// nil for other problems.
  ///
  /// The value may be a secret, so only that of `schedule` is quoted.
  private static func signProblem(
    _ found: ConfigurationError, in text: String
  ) -> ConfigurationError? {
    guard let place = found.problems.first else { return nil }
    let line = Self.line(place.line, of: text)
    guard
      let match = line.wholeMatch(of: /\s*(?:- +)?([A-Za-z_]+): +([*@%`])([^"#]*?)\s*(?:#.*)?/)
    else { return nil }
    let (key, sign) = (match.output.1, match.output.2)
    let example =
      key == "schedule" ? "\(key): \"\(sign)\(match.output.3)\"" : "\(key): \"\(sign)…\""
    return problem(
      "not valid YAML: a value that begins with '\(sign)' needs quotes: \(example)",
      in: place.file, line: place.line,
      column: line.distance(from: line.startIndex, to: sign.startIndex) + 1)
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

  /// Counts the aliases without expanding them: a different letter replaces each star, so that they
  /// are words.
  ///
  /// - Throws: `ConfigurationError` for invalid YAML, with or without stars.
  private static func aliasCount(
    in text: String, file: String
  ) throws(ConfigurationError) -> Int {
    let known = Set(text.unicodeScalars)
    let letters = (0xE000...0xF8FF).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
    guard let letter = letters.first(where: { !known.contains($0) }) else { return .max }
    var words = String.UnicodeScalarView()
    words.append(contentsOf: text.unicodeScalars.map { $0 == "*" ? letter : $0 })
    let root = try parsed(String(words), file: file)
    return root.map { wordCount(in: $0, beginningWith: letter) } ?? 0
  }

  private static func wordCount(in node: Node, beginningWith letter: Unicode.Scalar) -> Int {
    switch node {
    case .scalar(let scalar):
      scalar.style == .plain && scalar.string.unicodeScalars.first == letter ? 1 : 0
    case .sequence(let sequence):
      sequence.map { wordCount(in: $0, beginningWith: letter) }.reduce(0, +)
    case .mapping(let mapping):
      mapping.map {
        wordCount(in: $0.key, beginningWith: letter)
          + wordCount(in: $0.value, beginningWith: letter)
      }.reduce(0, +)
    case .alias: 1
    }
  }

  /// Counts every `*` before a name, also in comments and quotes: never fewer than there are
  /// aliases.
  private static func starCount(in bytes: [UInt8]) -> Int {
    zip(bytes, bytes.dropFirst()).count { $0 == UInt8(ascii: "*") && isNameByte($1) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return scalar.properties.isAlphabetic || byte >= 0x80 || scalar == "_" || scalar == "-"
      || ("0"..."9").contains(scalar)
  }
}
