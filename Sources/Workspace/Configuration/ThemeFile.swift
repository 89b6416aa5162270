import Glibc
package import Model
import Reports
import Yams

/// The themes of a workspace: `themes.yml` applied to the shipped list;
/// docs/feedback-themes.md#the-list.
enum ThemeFile {
  static let name = "themes.yml"

  private static let keys = ["shipped", "drop", "themes"]
  fileprivate static let themeKeys = ["title", "words", "more"]

  /// Returns the shipped list with the changes of a file.
  static func themes(
    parsing source: SourceFile, shipped: [Theme] = ShippedThemes.all
  ) throws(ConfigurationError) -> [Theme] {
    let log = ProblemLog(file: source.path)
    let root = MappingReader(
      try YAMLDocument.root(of: source), keyPath: "", log: log, keys: .allPublic)
    root.refuseOthers(than: keys)
    var themes = root.boolean("shipped") == false ? [] : shipped
    for entry in root.items("drop") ?? [] {
      guard let id = root.text(of: entry) else { continue }
      let known = themes.map(\.id)
      guard let index = known.firstIndex(of: id) else {
        root.problem(
          entry, "names no shipped theme.\(ClosestName.hint(for: id, among: known))")
        continue
      }
      themes.remove(at: index)
    }
    let own = root.mapping("themes")
    for entry in own.entries where entry.scalar != .null { own.add(entry, to: &themes) }
    if themes.isEmpty, log.problems.isEmpty {
      root.missing("themes", "write at least one theme with its words")
    }
    try log.throwIfAny()
    return themes
  }

  /// Returns a file with these themes in full, which needs no shipped list.
  static func text(of themes: [Theme]) -> String {
    "# What feedback is sorted by; see docs/feedback-themes.md.\nshipped: false\nthemes:\n"
      + themes.map { theme in
        let words = theme.terms.map { "      - \(quoted($0))\n" }.joined()
        return "  \(theme.id):\n    title: \(quoted(theme.title))\n    words:\n\(words)"
      }.joined()
  }

  /// Quotes a text in YAML's double quotes.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"") + "\""
  }
}

extension MappingReader {
  /// Adds a theme, or changes the theme with that name.
  fileprivate func add(_ entry: Entry, to themes: inout [Theme]) {
    let id = entry.name
    guard id.isWords(joinedBy: "-"), id.utf8.count <= 40 else {
      return log.add(
        "a theme's name has small letters, digits and '-', and at most 40 of them",
        at: entry.key.mark, keyPath: path(id))
    }
    let reader = mapping(of: entry)
    reader.refuseOthers(than: ThemeFile.themeKeys)
    let index = themes.firstIndex { $0.id == id }
    var theme = index.map { themes[$0] } ?? Theme(id: id, title: id, terms: [])
    if let title = reader.text("title") { theme.title = title }
    if let words = reader.terms("words") { theme.terms = words }
    theme.terms += reader.terms("more") ?? []
    if theme.terms.isEmpty { reader.missing("words", "list the words that tell the theme") }
    if let index { themes[index] = theme } else { themes.append(theme) }
  }

  private func terms(_ key: String) -> [String]? {
    items(key)?.compactMap { entry in
      guard let text = text(of: entry) else { return nil }
      guard !text.dropLast().contains(ThemeMatcher.anyEnding) else {
        problem(entry, "has a '*' before its end; only the last word of a term can be a beginning")
        return nil
      }
      guard !FoldedText.words(of: text).isEmpty else {
        problem(entry, "has no letter and no digit, so no text can have it")
        return nil
      }
      return text
    }
  }
}

extension Workspace {
  /// Returns the themes for feedback: those of `themes.yml`, or the shipped ones without it.
  ///
  /// - Throws: `WorkspaceError.configuration` with all problems, or `.file`.
  package func themes() throws(WorkspaceError) -> [Theme] {
    guard access(path(ThemeFile.name), F_OK) == 0 else { return ShippedThemes.all }
    let file = try source(ThemeFile.name)
    do {
      return try ThemeFile.themes(parsing: file)
    } catch {
      throw .configuration(error)
    }
  }

  /// Returns a `themes.yml` with the themes in force, as the beginning of the reader's own list.
  package func themesText() throws(WorkspaceError) -> String { ThemeFile.text(of: try themes()) }
}
