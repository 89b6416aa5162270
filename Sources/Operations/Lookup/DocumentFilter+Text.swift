import CollectionMapping
import Model
import Workspace
import Yams

/// A filter on the command line: `total >= 10`; see `docs/query.md#where`.
extension DocumentFilter {
  /// Parses `FIELD OP VALUE` with the operators and values of a job file's `where`.
  init(parsing text: String) throws(WorkspaceError) {
    let words = Self.words(of: text)
    guard words.count >= 2, !words[0].isEmpty else {
      throw .refused(
        .usage,
        "--where '\(text)' is not FIELD OP VALUE, such as 'status == paid' or 'tags is-not-null'.")
    }
    var pairs: [(Node, Node)] = [
      (.plain("field"), .quoted(words[0])), (.plain("op"), .quoted(words[1])),
    ]
    if words.count > 2 { pairs.append((.plain("value"), try Self.value(words[2], in: text))) }
    let log = ProblemLog(file: "--where")
    let reader = MappingReader(
      .mapping(.init(pairs)), keyPath: "", log: log, keys: .allPublic)
    let filter = reader.filter()
    guard let filter, log.problems.isEmpty else {
      let problems = log.problems.map { "\($0.keyPath): \($0.message)" }
      throw .refused(.usage, "--where '\(text)': \(problems.joined(separator: "; "))")
    }
    self = filter
  }

  /// Returns the field, the operator and the rest, which may be missing; back-ticks protect spaces.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var (isQuoted, isEscaped) = (false, false)
    for scalar in text.unicodeScalars {
      if words.count < 2, scalar == " ", !isQuoted {
        if !word.isEmpty { words.append(String(word)) }
        word = String.UnicodeScalarView()
        continue
      }
      if words.isEmpty, scalar == "`", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && scalar == "\\" && !isEscaped
      word.append(scalar)
    }
    let rest = words.count < 2 ? String(word) : String(word).trimmed
    return rest.isEmpty ? words : words + [rest]
  }

  /// Parses a value: a word is a text, a number or a truth value; brackets, braces and quotes begin
  /// YAML.
  private static func value(_ value: String, in text: String) throws(WorkspaceError) -> Node {
    guard let first = value.first, "[{\"'".contains(first) else { return .plain(value) }
    do {
      return try YAMLDocument.root(of: SourceFile(path: "--where", text: value))
    } catch {
      let problems = error.problems.map(\.message).joined(separator: "; ")
      throw .refused(.usage, "--where '\(text)': the value is \(problems)")
    }
  }
}

extension Node {
  /// Returns a scalar with the type of its spelling.
  fileprivate static func plain(_ text: String) -> Node {
    .scalar(Scalar(text, Tag(.implicit, .basic), .plain))
  }

  /// Returns a text, regardless of its spelling.
  fileprivate static func quoted(_ text: String) -> Node {
    .scalar(Scalar(text, Tag(.implicit, .basic), .doubleQuoted))
  }
}
