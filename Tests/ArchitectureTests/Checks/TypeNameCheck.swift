/// Two modules must not give one name to two types that are visible outside of their files.
struct TypeNameCheck {
  /// A top-level type that is not private.
  struct Declaration: Hashable {
    let name: String
    let module: String
    let path: String
    let line: Int
  }

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// A finding for every declaration after the first of its name, unless they are in one module.
  func findings(in files: [SwiftFile]) -> [Finding] {
    var first: [String: Declaration] = [:]
    return files.flatMap(Self.declarations).compactMap { declaration in
      guard let other = first[declaration.name] else {
        first[declaration.name] = declaration
        return nil
      }
      guard other.module != declaration.module else { return nil }
      return Finding(
        path: declaration.path, line: declaration.line,
        message: "the type \(declaration.name) has the name of one in \(other.path)")
    }
  }

  /// The top-level types of a file, in order.
  static func declarations(of file: SwiftFile) -> [Declaration] {
    guard let module = file.module else { return [] }
    var declarations: [Declaration] = []
    for (number, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    where line.first.map({ $0.isLetter || $0 == "@" }) == true {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      guard !words.contains("private"), !words.contains("fileprivate"),
        let keyword = words.firstIndex(where: keywords.contains), keyword + 1 < words.count,
        words[..<keyword].allSatisfy({ $0 != "extension" && $0 != "import" && $0 != "func" })
      else { continue }
      declarations.append(
        Declaration(name: words[keyword + 1], module: module, path: file.path, line: number + 1))
    }
    return declarations
  }
}
