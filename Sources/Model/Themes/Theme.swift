/// Something that people write about, and the words that tell it: docs/feedback-themes.md.
package struct Theme: Hashable, Sendable {
  /// Kebab-case: its name on the command line and in files.
  package var id: String
  package var title: String
  /// Words and phrases as the list writes them; `*` at the end stands for any ending.
  package var terms: [String]

  package init(id: String, title: String, terms: [String]) {
    self.id = id
    self.title = title
    self.terms = terms
  }
}

/// What a person noted about a feedback text.
package struct FeedbackMark: Hashable, Sendable {
  package enum ThemeChoice: Hashable, Sendable {
    /// Nobody chose: the words of the text decide.
    case byWords
    /// It belongs to no theme, whatever its words.
    case none
    /// The id of a theme, which the list may no longer have.
    case chosen(String)
  }

  package var theme: ThemeChoice
  /// Nil while it is open.
  package var doneAt: Instant?

  package init(theme: ThemeChoice = .byWords, doneAt: Instant? = nil) {
    self.theme = theme
    self.doneAt = doneAt
  }
}
