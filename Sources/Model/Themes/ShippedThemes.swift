/// The themes that a workspace has without a list of its own: docs/feedback-themes.md#the-list.
///
/// `themes.txt` has a line of id and title for each, then a line of terms for each language:
/// English, German, Spanish, Turkish, Arabic, and those of others.
package enum ShippedThemes {
  package static let all: [Theme] = {
    let text = String(decoding: PackageResources.themes_txt, as: UTF8.self)
    var themes: [Theme] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix(" ") {
        themes[themes.count - 1].terms += line.split(separator: ",").map(\.trimmed)
      } else {
        let head = line.split(separator: ":", maxSplits: 1)
        themes.append(Theme(id: String(head[0]), title: head[1].trimmed, terms: []))
      }
    }
    return themes
  }()
}
