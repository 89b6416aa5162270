import Model
import Yams

/// One mapping of a YAML file, read key by key.
///
/// Whatever is wrong goes to the log and the default is returned, so that one reading finds every
/// problem. A key without a value counts as not given.
package struct MappingReader {
  struct Entry {
    let name: String
    let key: Node
    let value: Node

    var scalar: Scalar { Scalar(value) }
  }

  let keyPath: String
  let log: ProblemLog
  let mark: Mark?
  /// In the order of the file; merged keys (`<<`) first.
  private(set) var entries: [Entry]

  /// Takes a mapping; anything else is a problem and reads as empty.
  init(_ node: Node, keyPath: String, log: ProblemLog) {
    self.keyPath = keyPath
    self.log = log
    mark = node.mark
    entries = []
    guard case .mapping = node else {
      log.add(
        "must be a mapping ('key: value' lines), not \(Scalar(node).described)", at: node.mark,
        keyPath: keyPath)
      return
    }
    collect(node)
    keepLast()
  }

  /// A mapping that is not there.
  init(absentAt keyPath: String, log: ProblemLog, mark: Mark?) {
    self.keyPath = keyPath
    self.log = log
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

  /// Of the entries of one name the last counts, in the last one's place.
  private mutating func keepLast() {
    var names: Set<String> = []
    entries = entries.reversed().filter { names.insert($0.name).inserted }.reversed()
  }

  private func isMerge(_ key: Node) -> Bool {
    guard case .scalar(let scalar) = key else { return false }
    return scalar.string == "<<" && scalar.style == .plain
  }

  /// YAML's merge key: of several mappings the earlier wins, and the mapping's own keys over all.
  private mutating func merge(_ value: Node) {
    switch value {
    case .mapping: collect(value)
    case .sequence(let sequence): for node in sequence.reversed() { collect(node) }
    default: log.add("'<<' takes a mapping", at: value.mark, keyPath: keyPath)
    }
  }

  func path(_ key: String) -> String { keyPath.isEmpty ? key : "\(keyPath).\(key)" }

  /// Nil when the key is missing or has no value.
  func entry(_ key: String) -> Entry? {
    entries.first { $0.name == key && $0.scalar != .null }
  }

  func problem(_ entry: Entry, _ message: String) {
    log.add(message, at: entry.value.mark ?? entry.key.mark, keyPath: path(entry.name))
  }

  func wrongType(_ entry: Entry, wanted: String) {
    problem(entry, "must be \(wanted), not \(described(entry))")
  }

  /// What stands there; a value that variables gave is not repeated, since it may be a secret.
  func described(_ entry: Entry) -> String {
    guard let written = log.written(at: entry.value.mark) else { return entry.scalar.described }
    return "what '\(written.prefix(60))' stands for"
  }

  /// Reports every key that is not in the list, with the one that was probably meant.
  func refuseOthers(than known: [String], because note: (String) -> String = { _ in "" }) {
    for entry in entries where !known.contains(entry.name) {
      let hint = ClosestName.hint(for: entry.name, among: known)
      log.add(
        "unknown key.\(note(entry.name))\(hint)", at: entry.key.mark, keyPath: path(entry.name))
    }
  }

  func missing(_ key: String, _ advice: String) {
    log.add("is missing; \(advice)", at: mark, keyPath: path(key))
  }
}
