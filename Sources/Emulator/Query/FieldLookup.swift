import Firestore

/// Changing fields at a path of map keys.
extension [String: Value] {
  /// Sets or, with nil, removes the value at `path`.
  ///
  /// Setting replaces a value on the path that is not a map by a map. A vector is not a map.
  mutating func set(_ value: Value?, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      self[key] = value
      return
    }
    var inner: [String: Value] = [:]
    if case .map(let fields)? = self[key], fields.vector == nil {
      inner = fields
    } else if value == nil {
      return
    }
    inner.set(value, at: path.dropFirst())
    self[key] = .map(inner)
  }

  /// The fields at the paths; ignores paths without a value.
  func selecting(_ paths: [FieldPath]) -> [String: Value] {
    var selected: [String: Value] = [:]
    for path in paths where path != .documentName {
      guard let value = value(at: path.segments[...]) else { continue }
      selected.set(value, at: path.segments[...])
    }
    return selected
  }
}
