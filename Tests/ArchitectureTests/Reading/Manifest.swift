/// What `Package.swift` says of the rooms.
enum Manifest {
  /// The names in quotes that a `room(...)` depends on; nil when there is no such room.
  static func dependencies(of room: String, in text: String) -> [String]? {
    guard let start = text.firstRange(of: /room\(\s*"(\w+)",\s*\[/.dotMatchesNewlines()),
      let found = text[start].firstMatch(of: /"(\w+)"/)
    else { return nil }
    let rest = text[start.upperBound...]
    guard found.output.1 == room else { return dependencies(of: room, in: String(rest)) }
    let list = rest.prefix { $0 != "]" }
    return list.matches(of: /"(\w+)"/).map { String($0.output.1) }
  }
}
