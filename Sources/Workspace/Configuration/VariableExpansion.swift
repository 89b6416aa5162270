package import Yams

/// The expansion of `${NAME}` and `${NAME:-default}` in the values of a file, never in its keys.
///
/// It takes place after YAML parsing, so a variable cannot add keys or lists. See
/// `docs/configuration.md#variables`.
package struct VariableExpansion {
  /// The environment variables that a file may use.
  package struct Variables: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package var values: [String: String]
    /// Whether to drop hooks with unset variables, for commands that run no hooks.
    package var leavesHooksOut = false

    package init(_ values: [String: String], leavesHooksOut: Bool = false) {
      self.values = values
      self.leavesHooksOut = leavesHooksOut
    }

    package init(dictionaryLiteral elements: (String, String)...) {
      values = Dictionary(elements) { _, last in last }
    }
  }

  let variables: Variables
  let log: ProblemLog

  /// A part of a text.
  package enum Piece: Hashable {
    case text(String)
    /// `fallback` is nil without a default.
    case variable(name: String, fallback: String?)
    /// A text that begins like a variable but is not one.
    case malformed
  }

  /// Names that are left to the shell, since hooks get them when they run.
  static let shellNames = Set(
    HookReport.variableNames + HookReport.incidentVariableNames
      + ["FIRETALLY_PROFILE", "FIRETALLY_FEATURE", "FIRETALLY_MESSAGE"])

  /// Returns the file's mapping with its variables replaced; the log records each replaced value.
  ///
  /// - Throws: as `YAMLDocument.root` does, or with all problems of the variables.
  package static func root(
    of source: SourceFile, _ variables: Variables, log: ProblemLog
  ) throws(ConfigurationError) -> Node {
    let node = try YAMLDocument.root(of: source)
    let mayHaveSome = zip(source.bytes, source.bytes.dropFirst()).contains {
      $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{")
    }
    guard mayHaveSome else { return node }
    let expanded = VariableExpansion(variables: variables, log: log).expanded(node, keyPath: "")
    // Further problems could be consequences of those found so far.
    try log.throwIfAny()
    return expanded
  }

  private func expanded(_ node: Node, keyPath: String) -> Node {
    switch node {
    case .scalar(let scalar): return .scalar(expanded(scalar, keyPath: keyPath))
    case .mapping(let mapping):
      let pairs = mapping.compactMap { key, value -> (Node, Node)? in
        let place = Self.path(keyPath, key)
        if variables.leavesHooksOut, Self.isHook(place), lacksVariable(value) { return nil }
        return (key, expanded(value, keyPath: place))
      }
      return .mapping(
        Node.Mapping(pairs, mapping.tag, mapping.style, mapping.mark, mapping.anchor))
    case .sequence(let sequence):
      let items = sequence.enumerated().map { expanded($1, keyPath: "\(keyPath)[\($0)]") }
      return .sequence(
        Node.Sequence(items, sequence.tag, sequence.style, sequence.mark, sequence.anchor))
    case .alias: return node
    }
  }

  /// Whether a key holds a hook or the target of `notify`.
  private static func isHook(_ keyPath: String) -> Bool {
    let parts = keyPath.split(separator: ".")
    return parts == ["notify"] || parts == [Substring(Hook.resetKey)]
      || parts.count == 2 && parts[0] == "hooks"
  }

  private func lacksVariable(_ node: Node) -> Bool {
    switch node {
    case .scalar(let scalar):
      Self.pieces(of: scalar.string).contains { piece in
        guard case .variable(let name, let fallback) = piece else { return false }
        return value(of: name, fallback) == nil
      }
    case .mapping(let mapping): mapping.contains { lacksVariable($0.value) }
    case .sequence(let sequence): sequence.contains(where: lacksVariable)
    case .alias: false
    }
  }

  private static func path(_ parent: String, _ key: Node) -> String {
    guard let name = key.scalar.map({ ShownText.key($0.string) }), name != "<<" else {
      return parent
    }
    return parent.isEmpty ? name : "\(parent).\(name)"
  }

  private func expanded(_ scalar: Node.Scalar, keyPath: String) -> Node.Scalar {
    guard scalar.string.contains("${") else { return scalar }
    var text = ""
    for piece in Self.pieces(of: scalar.string) {
      switch piece {
      case .text(let part): text += part
      case .variable(let name, let fallback):
        text += value(of: name, fallback) ?? unset(name, at: scalar.mark, keyPath)
      case .malformed:
        // The value is not shown, because it may be part of a secret.
        report(
          "what begins with ${ is neither ${NAME} nor ${NAME:-default}; write $${ for the "
            + "characters ${", at: scalar.mark, keyPath, isUnsetVariable: false)
      }
    }
    log.remember(written: scalar.string, at: scalar.mark)
    return Node.Scalar(text, scalar.tag, scalar.style, scalar.mark, scalar.anchor)
  }

  /// Returns the value of a variable, nil if it is unset; a default replaces an unset or empty
  /// value.
  private func value(of name: String, _ fallback: String?) -> String? {
    guard let fallback else { return variables.values[name] }
    return variables.values[name].flatMap { $0.isEmpty ? nil : $0 } ?? fallback
  }

  private func unset(_ name: String, at mark: Mark?, _ keyPath: String) -> String {
    report(
      "the environment variable \(name) is not set; set it, or write a default: ${\(name):-value}",
      at: mark, keyPath, isUnsetVariable: true)
    return ""
  }

  /// Reports a problem once, although aliases repeat an anchor's value.
  private func report(
    _ message: String, at mark: Mark?, _ keyPath: String, isUnsetVariable: Bool
  ) {
    let isKnown = log.problems.contains {
      $0.line == mark?.line && $0.column == mark?.column && $0.message == message
    }
    guard !isKnown else { return }
    log.add(message, at: mark, keyPath: keyPath, isUnsetVariable: isUnsetVariable)
  }

  package static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      let before = rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard before.last != "$" else {
        pieces.append(.text(before.dropLast() + "${"))
        continue
      }
      pieces.append(.text(String(before)))
      guard let end = rest.firstIndex(of: "}") else {
        return pieces + [.malformed]
      }
      pieces.append(piece(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    return pieces + [.text(String(rest))]
  }

  /// Parses the text between the braces.
  private static func piece(_ body: Substring) -> Piece {
    let name = body.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let rest = body[name.endIndex...]
    if shellNames.contains(String(name)) { return .text("${\(body)}") }
    guard let first = name.first, !first.isNumber, rest.isEmpty || rest.hasPrefix(":-"),
      !rest.contains("${")
    else {
      return .malformed
    }
    return .variable(name: String(name), fallback: rest.isEmpty ? nil : String(rest.dropFirst(2)))
  }
}
