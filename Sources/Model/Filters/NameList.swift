/// The names that a criterion may have: those of a list and those in the data.
///
/// See `docs/filters.md#country-and-language-names`.
package struct NameList: Sendable {
  /// The most names that are suggested; docs/filters.md#country-and-language-names.
  package static let suggestionCount = 5

  package static let countries = NameList(names(in: CountryNames.text))
  package static let languages = NameList(
    names(in: LanguageNames.text), historical: Set(names(in: LanguageNames.historical)))

  /// Without duplicates, the listed names first.
  private let names: [String]
  /// Names of languages that nobody grows up with, suggested last.
  private let historical: Set<String>

  /// Drops names with equal bytes; two spellings of one accent stay, since filters compare bytes.
  package init(_ names: [String], historical: Set<String> = []) {
    var known: Set<ContiguousArray<UInt8>> = []
    self.names = names.filter { known.insert(ContiguousArray($0.utf8)).inserted }
    self.historical = historical
  }

  private static func names(in text: String) -> [String] {
    text.split(separator: "; ").map(String.init)
  }

  /// The list followed by names from the data.
  package func adding(_ seen: [String]) -> NameList {
    NameList(names + seen, historical: historical)
  }

  /// Whether the list has exactly this name, byte by byte.
  package func contains(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }

  /// The list's spelling of a typed name; nil when the list lacks it.
  ///
  /// An exact match wins over one that differs in case and surrounding white space.
  package func spelling(of typed: String) -> String? {
    let trimmed = typed.trimmed
    if contains(typed) { return typed }
    if contains(trimmed) { return trimmed }
    let lowercase = trimmed.lowercased()
    return names.first { $0.lowercased() == lowercase }
  }

  /// The names that contain a text, best first, at most `suggestionCount`; none for an empty text.
  ///
  /// Names that begin with the text come first, then names with a word that does, then the others;
  /// each group in alphabetical order. Historical names follow all others, in the same order. Case,
  /// accents and the kind of apostrophe do not matter.
  package func suggestions(for text: String) -> [String] {
    let wanted = text.trimmed.searchKey
    guard !wanted.isEmpty else { return [] }
    let length = wanted.count
    let found = names.compactMap { name -> (rank: Int, key: String, name: String)? in
      let key = name.searchKey
      // Searching costs as much as the wanted text is long, and no longer text is in a name.
      guard key.count >= length, let place = Place(of: wanted, in: key) else { return nil }
      let isHistorical = historical.contains(name)
      return (place.rawValue + (isHistorical ? Place.allCases.count : 0), key, name)
    }
    return found.sorted { ($0.rank, $0.key, $0.name) < ($1.rank, $1.key, $1.name) }
      .prefix(Self.suggestionCount).map(\.name)
  }

  /// The names that an unknown name probably means: similar spellings by distance, then
  /// suggestions.
  package func closest(to typed: String) -> [String] {
    let near = ClosestName.near(to: typed.trimmed, among: names)
    let others = suggestions(for: typed).filter { !near.contains($0) }
    return Array((near + others).prefix(Self.suggestionCount))
  }

  /// Where a text is in a name; a better place has a lower number.
  private enum Place: Int, CaseIterable {
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
