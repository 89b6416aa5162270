package enum Gender: String, CaseIterable, Codable, Sendable {
  case male = "Male"
  case female = "Female"
}

/// The criteria of a profile, which must all hold; nil means "any".
package struct UserFilter: Hashable, Codable, Sendable {
  package var gender: Gender?
  /// English ISO 3166 name.
  package var country: String?
  /// English ISO 639 name.
  package var language: String?
  /// Years, inclusive; the same as `maxAge` for one exact age.
  package var minAge: Int?
  /// Years, inclusive.
  package var maxAge: Int?
  /// Only users whose city is the profile's own.
  package var isNearbyOnly: Bool

  package init(
    gender: Gender? = nil, country: String? = nil, language: String? = nil, minAge: Int? = nil,
    maxAge: Int? = nil, isNearbyOnly: Bool = false
  ) {
    self.gender = gender
    self.country = country
    self.language = language
    self.minAge = minAge
    self.maxAge = maxAge
    self.isNearbyOnly = isNearbyOnly
  }

  package static let none = UserFilter()

  package var isEmpty: Bool { self == .none }

  /// One text for each criterion, such as `country = Tuvalu` or `age >= 25`.
  ///
  /// `city` is the profile's city, for "nearby".
  package func conditions(city: String?) -> [String] {
    [
      gender.map { "gender = \($0.rawValue)" }, country.map { "country = \($0)" },
      language.map { "language = \($0)" },
    ].compactMap(\.self) + ageConditions + (isNearbyOnly ? ["city = \(city ?? "")"] : [])
  }

  private var ageConditions: [String] {
    if let minAge, minAge == maxAge { return ["age = \(minAge)"] }
    return [minAge.map { "age >= \($0)" }, maxAge.map { "age <= \($0)" }].compactMap(\.self)
  }
}

/// Which users a filter lets through; docs/filters.md#filters.
package enum FilterRule {
  /// The ages that a filter may name, in years; docs/filters.md#filters.
  package static let ages = 18...99

  /// Whether a row meets all criteria; reads only the cells that the filter needs.
  ///
  /// Gender is compared without case, other texts byte by byte as in SQLite and Firestore. A user
  /// without a readable age matches no age criterion, and nobody is near a profile without a city.
  package static func matches(
    _ rows: TableRows, row: Int, _ filter: UserFilter, profileCity: String?
  ) -> Bool {
    func text(_ column: UserColumn) -> String { rows.text(row: row, column: column) }
    if let gender = filter.gender, text(.gender).lowercased() != gender.rawValue.lowercased() {
      return false
    }
    if let country = filter.country, !text(.country).hasSameBytes(as: country) { return false }
    if let language = filter.language, !text(.language).hasSameBytes(as: language) { return false }
    if filter.minAge != nil || filter.maxAge != nil {
      let digits = text(.age)
      // No sign, which `Int` takes.
      guard digits.first?.isNumber == true, let age = Int(digits), age >= filter.minAge ?? .min,
        age <= filter.maxAge ?? .max
      else { return false }
    }
    guard filter.isNearbyOnly else { return true }
    guard let profileCity, !profileCity.isEmpty else { return false }
    return text(.city).hasSameBytes(as: profileCity)
  }
}

/// A filter checked against the name lists and a profile; docs/filters.md#filters.
package struct FilterCheck: Hashable, Sendable {
  /// The filter with country and language as the lists spell them.
  package let filter: UserFilter
  /// All problems in the order of the criteria; empty when the filter may be applied.
  package let problems: [FilterProblem]

  package init(
    _ filter: UserFilter, profileCity: String?, countries: NameList = .countries,
    languages: NameList = .languages
  ) {
    var checked = filter
    var problems: [FilterProblem] = []
    if let country = filter.country {
      checked.country = countries.spelling(of: country)
      if checked.country == nil {
        problems.append(.unknownCountry(closest: countries.closest(to: country)))
      }
    }
    if let language = filter.language {
      checked.language = languages.spelling(of: language)
      if checked.language == nil {
        problems.append(.unknownLanguage(closest: languages.closest(to: language)))
      }
    }
    problems += Self.problems(ofAges: filter)
    if filter.isNearbyOnly, profileCity?.isEmpty ?? true { problems.append(.cityUnknown) }
    self.filter = checked
    self.problems = problems
  }

  private static func problems(ofAges filter: UserFilter) -> [FilterProblem] {
    var problems: [FilterProblem] = []
    if let age = filter.minAge, !FilterRule.ages.contains(age) {
      problems.append(.ageOutOfRange(bound: "Min"))
    }
    if let age = filter.maxAge, !FilterRule.ages.contains(age) {
      problems.append(.ageOutOfRange(bound: "Max"))
    }
    if let minAge = filter.minAge, let maxAge = filter.maxAge, maxAge < minAge {
      problems.append(.agesOutOfOrder)
    }
    return problems
  }
}

/// A saved filter that no command could have saved, as after somebody edited the database.
package struct BadSavedFilter: Error, Hashable, Sendable {
  package let filter: UserFilter
  package let problems: [FilterProblem]

  /// Nil for a filter that may be applied; a city that is unknown is no fault of the filter.
  package init?(_ filter: UserFilter, _ check: FilterCheck) {
    problems = check.problems.filter { $0 != .cityUnknown }
    self.filter = filter
    if problems.isEmpty { return nil }
  }
}

extension BadSavedFilter: CustomStringConvertible {
  package var description: String {
    let criteria = filter.conditions(city: nil).joined(separator: ", ")
    let sentences = problems.map(\.description).joined(separator: " ")
    return "The saved filter is not valid: \(criteria). \(sentences) "
      + "Change it with `firetally filter set`, or drop it with `firetally filter clear`."
  }
}

/// One problem of a filter; its description is a sentence for the user.
package enum FilterProblem: Hashable, Sendable {
  /// `closest` are the names that were probably meant, best first.
  case unknownCountry(closest: [String])
  case unknownLanguage(closest: [String])
  case ageOutOfRange(bound: String)
  case agesOutOfOrder
  case cityUnknown
}

extension FilterProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownCountry(let closest): Self.unknown("country", closest)
    case .unknownLanguage(let closest): Self.unknown("language", closest)
    case .ageOutOfRange(let bound):
      "\(bound) age should be an integer from \(FilterRule.ages.lowerBound) to "
        + "\(FilterRule.ages.upperBound)."
    case .agesOutOfOrder: "Max age should be greater than min."
    case .cityUnknown:
      "Nearby needs the profile's city, which is unknown. Find it with `firetally profile locate`, "
        + "or set it with `firetally profile set --city NAME`."
    }
  }

  private static func unknown(_ kind: String, _ closest: [String]) -> String {
    let way =
      closest.isEmpty
      ? "`firetally filter suggest \(kind) TEXT` searches it."
      : "Closest: \(closest.joined(separator: "; "))."
    return "Please select a valid \(kind) from the list. \(way)"
  }
}

/// The names that a criterion may have: those of a list and those in the data.
///
/// `scripts/make_names.py` made the lists. See `docs/filters.md#country-and-language-names`.
package struct NameList: Sendable {
  /// The most names that are suggested; docs/filters.md#country-and-language-names.
  package static let suggestionCount = 5

  package static let countries = NameList(names(in: PackageResources.countries_txt))
  package static let languages = NameList(
    names(in: PackageResources.languages_txt),
    historical: Set(names(in: PackageResources.historical_languages_txt)))

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

  private static func names(in file: [UInt8]) -> [String] {
    String(decoding: file, as: UTF8.self).split(separator: ";").map(\.trimmed)
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
