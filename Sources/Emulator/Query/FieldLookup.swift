import Firestore

/// Changing the fields of a document along a path of map keys.
extension [String: Value] {
  /// Sets or, with nil, removes the value at `path`.
  ///
  /// What stands in the way and is no map is replaced by one, unless the value is removed.
  mutating func set(_ value: Value?, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      self[key] = value
      return
    }
    var inner: [String: Value] = [:]
    if case .map(let fields)? = self[key] {
      inner = fields
    } else if value == nil {
      return
    }
    inner.set(value, at: path.dropFirst())
    self[key] = .map(inner)
  }

  /// Only what the paths name; a path that leads nowhere adds nothing.
  func selecting(_ paths: [FieldPath]) -> [String: Value] {
    var selected: [String: Value] = [:]
    for path in paths where path != .documentName {
      guard let value = value(at: path.segments[...]) else { continue }
      selected.set(value, at: path.segments[...])
    }
    return selected
  }
}
