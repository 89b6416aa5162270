import Model
package import Yams

/// A reader of one mapping in a YAML file, key by key.
///
/// Problems go to the log and the default is returned, so that a single reading finds all problems.
/// A key without a value counts as absent.
package struct MappingReader {
  package struct Entry {
    package let name: String
    package let key: Node
    package let value: Node

    package var scalar: Scalar { Scalar(value) }
  }

  package let keyPath: String
  package let log: ProblemLog
  package let mark: Mark?
  /// The keys whose values messages may show.
  package var keys: KeyTable
  /// In the order of the file; merged keys (`<<`) first.
  package private(set) var entries: [Entry]

  /// Reads a mapping; any other value is a problem and counts as empty.
  package init(_ node: Node, keyPath: String, log: ProblemLog, keys: KeyTable) {
    self.keyPath = keyPath
    self.log = log
    self.keys = keys
    mark = node.mark
    entries = []
    guard case .mapping = node else {
      let found = Self.described(Scalar(node), at: node.mark, isShown: keys.isPublic, log)
      log.add(
        "must be a mapping ('key: value' lines), not \(found)", at: node.mark, keyPath: keyPath)
      return
    }
    collect(node)
    keepLast()
  }

  /// Creates a reader of an absent mapping.
  private init(absentAt keyPath: String, log: ProblemLog, mark: Mark?) {
    self.keyPath = keyPath
    self.log = log
    keys = .allPublic
    self.mark = mark
    entries = []
  }

  private mutating func collect(_ node: Node) {
    guard case .mapping(let mapping) = node else { return }
    for (key, value) in mapping where isMerge(key) { merge(value) }
    for (key, value) in mapping where !isMerge(key) {
      guard case .scalar(let name) = key else {
        log.add("a key must be a word", at: key.mark, keyPath: keyPath)
        continue
      }
      entries.append(Entry(name: name.string, key: key, value: value))
    }
  }

  /// Keeps only the last entry of each name, at its position.
  private mutating func keepLast() {
    var names: Set<String> = []
    entries = entries.reversed().filter { names.insert($0.name).inserted }.reversed()
  }

  private func isMerge(_ key: Node) -> Bool {
    guard case .scalar(let scalar) = key else { return false }
    return scalar.string == "<<" && scalar.style == .plain
  }

  /// Applies YAML's merge key: of several mappings the earlier one wins; the mapping's own keys
  /// override all.
  private mutating func merge(_ value: Node) {
    switch value {
    case .mapping: collect(value)
    case .sequence(let sequence): for node in sequence.reversed() { collect(node) }
    default: log.add("'<<' takes a mapping", at: value.mark, keyPath: keyPath)
    }
  }

  package func path(_ key: String) -> String {
    let name = ShownText.key(key)
    return keyPath.isEmpty ? name : "\(keyPath).\(name)"
  }

  /// Returns the entry; nil when the key is missing or has no value.
  package func entry(_ key: String) -> Entry? {
    entries.first { $0.name == key && $0.scalar != .null }
  }

  package func problem(_ entry: Entry, _ message: String) {
    log.add(message, at: entry.value.mark ?? entry.key.mark, keyPath: path(entry.name))
  }

  package func wrongType(_ entry: Entry, wanted: String) {
    problem(entry, "must be \(wanted), not \(described(entry))")
  }

  /// Describes the value in the file; hides values from variables, and values that may be a secret.
  package func described(_ entry: Entry) -> String {
    Self.described(
      entry.scalar, at: entry.value.mark, isShown: keys.shows(entry.name), log)
  }

  private static func described(
    _ scalar: Scalar, at mark: Mark?, isShown: Bool, _ log: ProblemLog
  ) -> String {
    switch scalar {
    case .null, .list, .mapping: scalar.described
    case _ where !isShown: ShownText.hidden
    default:
      log.written(at: mark).map { "what \(ShownText.quoted($0)) stands for" } ?? scalar.described
    }
  }

  /// Reports every key that is not in the list, with the name that was probably meant.
  package func refuseOthers(than known: [String], because note: (String) -> String = { _ in "" }) {
    for entry in entries where !known.contains(entry.name) {
      guard keys.isPublic || ShownText.isName(entry) else {
        log.add(
          "unknown key; it is not shown since it may be a secret", at: entry.key.mark,
          keyPath: keyPath)
        continue
      }
      let hint = ClosestName.hint(for: entry.name, among: known)
      log.add(
        "unknown key.\(note(entry.name))\(hint)", at: entry.key.mark, keyPath: path(entry.name))
    }
  }

  package func missing(_ key: String, _ advice: String) {
    log.add("is missing; \(advice)", at: mark, keyPath: path(key))
  }

  /// Reads a text; an unquoted number or truth value is a problem.
  package func text(_ key: String) -> String? {
    guard let entry = entry(key) else { return nil }
    return text(of: entry)
  }

  package func text(of entry: Entry) -> String? {
    switch entry.scalar {
    case .text(let text) where !text.isEmpty: return text
    case .text: problem(entry, "must not be empty")
    case .integer, .number, .boolean:
      problem(entry, "must be text, not \(described(entry)); put it in quotes")
    case .list, .mapping, .null: wrongType(entry, wanted: "text")
    }
    return nil
  }

  /// Reads a text that passes a check; `wanted` describes it, after "must be".
  package func text(_ key: String, wanted: String, where isValid: (String) -> Bool) -> String? {
    guard let entry = entry(key), let text = text(of: entry) else { return nil }
    guard isValid(text) else {
      wrongType(entry, wanted: wanted)
      return nil
    }
    return text
  }

  /// Reads an address that passes a check; problems do not show it, since it may hold a secret.
  package func address(
    _ key: String, wanted: String = WebAddress.wanted,
    where isValid: (String) -> Bool = WebAddress.isValid
  ) -> String? {
    guard let entry = entry(key), let text = text(of: entry) else { return nil }
    if isValid(text) { return text }
    problem(entry, "must be \(wanted): \(WebAddress.fault(of: text))")
    return nil
  }

  package func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let entry = entry(key) else { return nil }
    return integer(of: entry, in: range)
  }

  package func integer(of entry: Entry, in range: ClosedRange<Int>) -> Int? {
    guard case .integer(let integer) = entry.scalar, range.contains(integer) else {
      let bounds = range == .min ... .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
      wrongType(entry, wanted: "an integer\(bounds)")
      return nil
    }
    return integer
  }

  /// Reads a decimal number that is not negative.
  package func amount(_ key: String) -> Double? {
    guard let entry = entry(key) else { return nil }
    switch entry.scalar {
    case .integer(let integer) where integer >= 0: return Double(integer)
    case .number(let number) where number >= 0 && number.isFinite: return number
    default:
      wrongType(entry, wanted: "a number, zero or more")
      return nil
    }
  }

  package func boolean(_ key: String) -> Bool? {
    guard let entry = entry(key) else { return nil }
    guard case .boolean(let flag) = entry.scalar else {
      wrongType(entry, wanted: "true or false")
      return nil
    }
    return flag
  }

  /// Reads a word of a closed set.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) -> Choice? {
    choice(key, among: Array(type.allCases))
  }

  package func choice<Choice: RawRepresentable<String>>(_ key: String, among all: [Choice])
    -> Choice?
  {
    entry(key).flatMap { choice(of: $0, among: all) }
  }

  package func choice<Choice: RawRepresentable<String>>(
    of entry: Entry, among all: [Choice]
  ) -> Choice? {
    guard let word = text(of: entry) else { return nil }
    if let choice = all.first(where: { $0.rawValue == word }) { return choice }
    let words = all.map(\.rawValue)
    let isQuoted = keys.shows(entry.name) && log.written(at: entry.value.mark) == nil
    problem(
      entry,
      "must be one of \(words.joined(separator: ", ")), not "
        + (isQuoted ? "\(ShownText.quoted(word))." : "\(described(entry)).")
        + ClosestName.hint(for: word, among: words))
    return nil
  }

  /// Reads a list of distinct words of a closed set; not empty.
  package func choices<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
    _ key: String, of type: Choice.Type
  ) -> [Choice]? {
    guard let items = items(key) else { return nil }
    return items.reduce(into: []) { choices, item in
      guard let choice = choice(of: item, among: Array(type.allCases)) else { return }
      guard !choices.contains(choice) else { return problem(item, "is listed twice") }
      choices.append(choice)
    }
  }

  /// Returns the items of a list, each as an entry named `key[0]`; an empty list is a problem.
  package func items(_ key: String) -> [Entry]? {
    guard let entry = entry(key) else { return nil }
    guard case .sequence(let sequence) = entry.value else {
      wrongType(entry, wanted: "a list ('- item' lines, or [a, b])")
      return nil
    }
    guard !sequence.isEmpty else {
      problem(entry, "must not be an empty list; leave the key out instead")
      return nil
    }
    return sequence.enumerated().map { index, node in
      Entry(name: "\(key)[\(index)]", key: entry.key, value: node)
    }
  }

  package func texts(_ key: String) -> [String]? {
    items(key)?.compactMap { text(of: $0) }
  }

  /// Reads a duration of at least 1s.
  package func time(_ key: String, longest: Duration) -> Duration? {
    guard let entry = entry(key) else { return nil }
    if case .text(let text) = entry.scalar, let time = DurationText.duration(text), time <= longest
    {
      return time
    }
    wrongType(
      entry, wanted: "a time from 1s to \(DurationText.text(longest)), such as 90s, 10m or 2h")
    return nil
  }

  /// Returns a reader of the mapping under a key; it is empty when the key is absent.
  package func mapping(_ key: String) -> MappingReader {
    guard let entry = entry(key) else {
      return MappingReader(absentAt: path(key), log: log, mark: mark)
    }
    return mapping(of: entry)
  }

  /// Returns a reader of an entry's mapping; any other value is a problem and counts as empty.
  package func mapping(of entry: Entry) -> MappingReader {
    MappingReader(
      entry.value, keyPath: path(entry.name), log: log, keys: keys.inside(entry.name))
  }
}
