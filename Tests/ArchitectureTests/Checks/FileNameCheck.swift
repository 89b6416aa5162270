/// A file is named after a type that it declares, or that it extends: `Type.swift`,
/// `Type+Topic.swift`.
struct FileNameCheck: Check {
  private static let keywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "extension",
  ]

  func findings(in file: SwiftFile) -> [Finding] {
    guard let name = file.path.split(separator: "/").last?.prefix(while: { !".+".contains($0) })
    else { return [] }
    let types = zip(file.words, file.words.dropFirst())
      .filter { keyword, _ in Self.keywords.contains(keyword.text) }.map(\.1.text)
    guard !types.isEmpty, !types.contains(String(name)) else { return [] }
    let names = types.unique.joined(separator: ", ")
    return [
      Finding(
        path: file.path, line: 1, message: "the file is named after none of its types: \(names)")
    ]
  }
}

extension [String] {
  /// Each once, in the order in which they come first.
  fileprivate var unique: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
