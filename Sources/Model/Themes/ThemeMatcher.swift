/// A subject that people write about, and the words that identify it: docs/feedback-themes.md.
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

/// Finds the themes of texts by their words: docs/feedback-themes.md#matching.
///
/// Texts and terms are folded alike before, so that case and accents make no difference.
package struct ThemeMatcher {
  /// A term of a theme: the words before the last one are whole.
  private struct Term {
    var theme: Int
    var words: [String]
    /// Whether the last word is the beginning of a word.
    var isBeginning: Bool
  }

  /// The sign behind the beginning of a word.
  package static let anyEnding: Character = "*"

  private var terms: [Term] = []
  /// Terms by their first word, which is whole.
  private var byWord: [String: [Int]] = [:]
  /// Terms of one beginning, by its first character.
  private var byFirstCharacter: [Character: [Int]] = [:]
  /// The terms of every word that was seen.
  private var known: [String: [Int]] = [:]
  private let ids: [String]

  /// `fold` makes words of a text; terms without a word are left out.
  package init(_ themes: [Theme], fold: (String) -> [String]) {
    ids = themes.map(\.id)
    for (index, theme) in themes.enumerated() {
      for text in theme.terms {
        let words = fold(text)
        guard let first = words.first else { continue }
        let isBeginning = text.last == Self.anyEnding
        if words.count == 1, isBeginning, let character = first.first {
          byFirstCharacter[character, default: []].append(terms.count)
        } else {
          byWord[first, default: []].append(terms.count)
        }
        terms.append(Term(theme: index, words: words, isBeginning: isBeginning))
      }
    }
  }

  /// The ids of the themes of a folded text, in the order of the list; each at most once.
  package mutating func themes(of words: [String]) -> [String] {
    var found: Set<Int> = []
    for (position, word) in words.enumerated() {
      for index in candidates(for: word) where !found.contains(terms[index].theme) {
        if matches(terms[index], words[position...]) { found.insert(terms[index].theme) }
      }
    }
    return found.sorted().map { ids[$0] }
  }

  private mutating func candidates(for word: String) -> [Int] {
    if let indexes = known[word] { return indexes }
    let beginnings = word.first.flatMap { byFirstCharacter[$0] } ?? []
    let indexes = (byWord[word] ?? []) + beginnings.filter { word.hasPrefix(terms[$0].words[0]) }
    known[word] = indexes
    return indexes
  }

  private func matches(_ term: Term, _ words: ArraySlice<String>) -> Bool {
    guard words.count >= term.words.count else { return false }
    for (offset, (wanted, word)) in zip(term.words, words).enumerated() {
      let isLast = offset == term.words.count - 1
      guard word == wanted || (isLast && term.isBeginning && word.hasPrefix(wanted)) else {
        return false
      }
    }
    return true
  }
}

/// Whether a text says too little to act on: docs/feedback-themes.md#too-short.
package enum ShortTextRule {
  /// Words; fewer say too little.
  package static let fewestWords = 4

  /// Takes the words of a folded text, where a sign of a script without spaces is a word.
  ///
  /// A text with a theme is never too short.
  package static func isTooShort(_ words: [String], hasTheme: Bool) -> Bool {
    guard !hasTheme else { return false }
    // Two signs of such a script say about as much as one word.
    let halves = words.reduce(0) { $0 + (UnspacedScript.isSign($1) ? 1 : 2) }
    return halves < 2 * fewestWords
  }
}

/// Scripts that put no space between words.
package enum UnspacedScript {
  /// Whether a word is one sign of such a script.
  package static func isSign(_ word: String) -> Bool {
    word.unicodeScalars.first.map(contains) ?? false
  }

  /// Thai, Lao, Burmese, Khmer, kana and Han.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
