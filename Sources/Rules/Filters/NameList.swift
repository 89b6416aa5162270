import Model

/// The names that a criterion may have: those of a list and those that the data uses.
///
/// See `docs/rules.md#country-and-language-names`.
package struct NameList: Sendable {
  /// How many names are offered at most; docs/rules.md#country-and-language-names.
  package static let suggestionCount = 5

  package static let countries = NameList(separatedBySemicolons: CountryNames.text)
  package static let languages = NameList(separatedBySemicolons: LanguageNames.text)

  /// Listed ones first, each once.
  private let names: [String]

  /// Names of the same bytes count once: an accent may be written in two ways, and a filter compares bytes.
  package init(_ names: [String]) {
    var known: Set<ContiguousArray<UInt8>> = []
    self.names = names.filter { known.insert(ContiguousArray($0.utf8)).inserted }
  }

  private init(separatedBySemicolons text: String) {
    self.init(text.split(separator: "; ").map(String.init))
  }

  /// The list with the names that the data uses.
  package func adding(_ seen: [String]) -> NameList { NameList(names + seen) }

  /// Whether the list has exactly this name, byte by byte.
  package func contains(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }

  /// The name as it is written here: exactly the typed one, else the first that differs by case
  /// and surrounding white space only; nil when there is none.
  package func spelling(of typed: String) -> String? {
    let trimmed = typed.trimmed
    if contains(typed) { return typed }
    if contains(trimmed) { return trimmed }
    let lowercase = trimmed.lowercased()
    return names.first { $0.lowercased() == lowercase }
  }

  /// What to offer for the beginning of a name, best first, at most `suggestionCount`; nothing for
  /// an empty text.
  ///
  /// Names that begin with it come first, then those with a word that does, then those that
  /// contain it; each group in alphabetical order. Case, accents and the kind of apostrophe do not
  /// matter.
  package func suggestions(for text: String) -> [String] {
    let wanted = text.trimmed.searchKey
    guard !wanted.isEmpty else { return [] }
    let found = names.compactMap { name in
      let key = name.searchKey
      return Place(of: wanted, in: key).map { (place: $0, key: key, name: name) }
    }
    return found.sorted {
      ($0.place.rawValue, $0.key, $0.name) < ($1.place.rawValue, $1.key, $1.name)
    }
    .prefix(Self.suggestionCount).map(\.name)
  }

  /// What may have been meant by a name that is not here: misspelt ones by their distance, then
  /// suggestions.
  package func closest(to typed: String) -> [String] {
    let near = ClosestName.near(to: typed.trimmed, among: names)
    let others = suggestions(for: typed).filter { !near.contains($0) }
    return Array((near + others).prefix(Self.suggestionCount))
  }

  /// Where a text stands in a name; the better place has the lower number.
  private enum Place: Int {
    case beginning, word, inside

    init?(of wanted: String, in key: String) {
      let starts = key.ranges(of: wanted).map(\.lowerBound)
      guard let first = starts.first else { return nil }
      if first == key.startIndex {
        self = .beginning
      } else {
        let beginsWord = starts.contains { !key[key.index(before: $0)].isLetter }
        self = beginsWord ? .word : .inside
      }
    }
  }
}

extension String {
  /// Lower case, Latin letters without their accents, one kind of apostrophe.
  fileprivate var searchKey: String {
    var key = UnicodeScalarView()
    for scalar in lowercased().unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      key.append(scalar.withoutAccent)
    }
    return String(key)
  }
}

extension Unicode.Scalar {
  /// The plain letter of, say, LATIN SMALL LETTER E WITH ACUTE; anything else stays.
  fileprivate var withoutAccent: Unicode.Scalar {
    guard !isASCII else { return self }
    if "’ʼ".unicodeScalars.contains(self) { return "'" }
    let words = properties.name?.split(separator: " ") ?? []
    guard words.count > 4, words[0] == "LATIN", words[4] == "WITH", words[3].utf8.count == 1,
      let letter = words[3].lowercased().unicodeScalars.first
    else { return self }
    return letter
  }
}
