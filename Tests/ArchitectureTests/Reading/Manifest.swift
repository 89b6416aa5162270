/// What `Package.swift` says of the modules.
enum Manifest {
  /// The names in quotes that a `module(...)` depends on; nil when there is no such module.
  static func dependencies(of module: String, in text: String) -> [String]? {
    guard let start = text.firstRange(of: /module\(\s*"(\w+)",\s*\[/.dotMatchesNewlines()),
      let found = text[start].firstMatch(of: /"(\w+)"/)
    else { return nil }
    let rest = text[start.upperBound...]
    guard found.output.1 == module else { return dependencies(of: module, in: String(rest)) }
    let list = rest.prefix { $0 != "]" }
    return list.matches(of: /"(\w+)"/).map { String($0.output.1) }
  }
}
