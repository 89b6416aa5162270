/// A name must say what a thing is: words that fit everything are banned.
struct NameCheck: Check {
  static let banned: Set<String> = [
    "manager", "helper", "util", "utility", "common", "base", "misc", "info", "impl",
  ]

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype", "macro",
  ]

  func findings(in file: SwiftFile) -> [Finding] {
    let parts = file.path.split(separator: "/").map { $0.replacing(".swift", with: "") }
    let inPath = parts.compactMap { part in
      bannedWord(in: part).map {
        Finding(path: file.path, line: 1, message: "the path has the word '\($0)'")
      }
    }
    return inPath + findingsInTypes(of: file)
  }

  private func findingsInTypes(of file: SwiftFile) -> [Finding] {
    zip(file.words, file.words.dropFirst()).compactMap { keyword, name in
      guard Self.keywords.contains(keyword.text), name.text.first?.isUppercase == true,
        let word = bannedWord(in: name.text)
      else { return nil }
      return Finding(
        path: file.path, line: file.line(of: keyword.offset),
        message: "the type \(name.text) has the word '\(word)'")
    }
  }

  /// The first banned word of a name in camel case, also in the plural.
  private func bannedWord(in name: some StringProtocol) -> String? {
    let words = String(name).matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/).map {
      $0.output.lowercased()
    }
    return words.first { word in
      Self.banned.contains(word)
        || word.hasSuffix("s") && Self.banned.contains(String(word.dropLast()))
    }
  }
}
