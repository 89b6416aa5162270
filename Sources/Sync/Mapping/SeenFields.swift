package import Firestore

/// Which of a mapping's paths led to a value in some document, null included; by position.
///
/// A path through a value of another kind counts as met: that value is noted already.
package struct SeenFields: Codable, Hashable, Sendable {
  /// Empty before the first document.
  private var flags: [Bool] = []

  package init() {}

  /// Whether no document came.
  package var isEmpty: Bool { flags.isEmpty }

  /// Makes room for so many paths, once.
  package mutating func begin(_ count: Int) {
    if flags.isEmpty { flags = Array(repeating: false, count: count) }
  }

  /// Runs for each value: `begin` must have made room.
  @inline(__always)
  package mutating func meet(_ position: Int) { flags[position] = true }

  /// Adds what other documents of the same mapping have.
  package mutating func merge(_ other: SeenFields) {
    begin(other.flags.count)
    for position in other.flags.indices where other.flags[position] { flags[position] = true }
  }

  package func merging(_ other: SeenFields) -> SeenFields {
    var merged = self
    merged.merge(other)
    return merged
  }

  package func contains(_ position: Int) -> Bool {
    flags.indices.contains(position) && flags[position]
  }
}

extension ScannedDocument {
  /// Whether the path of a wanted field leads to a value, or to one of another kind on the way.
  @inline(__always)
  package func has(_ position: Int) -> Bool {
    guard case .missing = fields[position] else { return true }
    return !json(of: position).isEmpty
  }
}
