extension Document {
  /// The value at `path`, also inside maps; `__name__` is the document's name as a reference.
  package subscript(path: FieldPath) -> Value? {
    path == .documentName ? .reference(name) : fields.value(at: path.segments[...])
  }
}

extension [String: Value] {
  /// The value along a path of map keys; nil where it leads nowhere.
  package func value(at path: ArraySlice<String>) -> Value? {
    guard let key = path.first, let value = self[key] else { return nil }
    guard path.count > 1 else { return value }
    guard case .map(let fields) = value else { return nil }
    return fields.value(at: path.dropFirst())
  }
}
