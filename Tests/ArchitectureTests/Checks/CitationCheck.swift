/// A section of the manual that a comment cites must be there.
struct CitationCheck: Check {
  /// The anchors of each page by its path: `docs/rules.md`.
  let anchors: [String: Set<String>]

  init(pages: [String: String]) {
    anchors = pages.mapValues { text in
      Set(text.split(separator: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor))
    }
  }

  func findings(in file: SwiftFile) -> [Finding] {
    file.text.matches(of: /(docs\/[\w\/-]+\.md)(?:#([\w-]+))?/).compactMap { match in
      let page = String(match.output.1)
      let line = file.text[..<match.range.lowerBound].count(where: \.isNewline) + 1
      guard let anchors = anchors[page] else {
        return Finding(path: file.path, line: line, message: "there is no page \(page)")
      }
      guard let anchor = match.output.2, !anchors.contains(String(anchor)) else { return nil }
      return Finding(path: file.path, line: line, message: "\(page) has no section #\(anchor)")
    }
  }

  /// `### New-user grace` -> `new-user-grace`.
  static func anchor(of heading: Substring) -> String {
    let title = heading.drop { $0 == "#" || $0 == " " }.lowercased()
    return String(
      title.compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }
}
