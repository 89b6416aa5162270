/// The messages about a load that stored nothing; docs/loads.md#empty-loads.
package enum EmptyLoad {
  /// The most names in a sentence.
  private static let mostNames = 5

  /// Such as `Nothing was stored: no user matches country = Tuvalu`.
  package static func sentence(about filter: UserFilter, city: String?) -> String {
    "Nothing was stored: no user matches \(filter.conditions(city: city).joined(separator: ", "))."
  }

  /// Such as `Nothing was stored: the collection Oders is empty; similar names: Orders`.
  ///
  /// - Parameters:
  ///   - collection: with the words before its name, such as `the collection Oders`.
  ///   - id: the name alone.
  ///   - siblings: the names of the other collections; nil when unknown.
  ///   - place: where the siblings are, such as `the database of the project demo`.
  /// - Returns: a sentence.
  package static func sentence(
    aboutEmpty collection: String, id: String, siblings: [String]?, of place: String
  ) -> String {
    "Nothing was stored: \(collection) is empty\(hint(for: id, among: siblings, of: place))."
  }

  /// Which names were probably meant, as the end of a sentence; empty when the others are unknown.
  ///
  /// - Parameters:
  ///   - name: the name that was not found.
  ///   - others: the names that exist, sorted; nil when unknown.
  ///   - place: where the others are, as a part of a sentence.
  /// - Returns: the end of a sentence, without its full stop.
  package static func hint(
    for name: String, among others: [String]?, of place: String
  ) -> String {
    guard let others = others?.filter({ $0 != name }) else { return "" }
    let similar = ClosestName.near(to: name, among: others).prefix(mostNames)
    guard similar.isEmpty else { return "; similar names: \(similar.joined(separator: ", "))" }
    guard !others.isEmpty else { return "; \(place) holds nothing else" }
    let more = others.count > mostNames ? " and \(others.count - mostNames) more" : ""
    return "; \(place) holds \(others.prefix(mostNames).joined(separator: ", "))\(more)"
  }
}

extension UserFilter {
  /// One text for each criterion, such as `country = Tuvalu` or `age >= 25`.
  ///
  /// `city` is the profile's city, for "nearby".
  package func conditions(city: String?) -> [String] {
    [
      gender.map { "gender = \($0.rawValue)" }, country.map { "country = \($0)" },
      language.map { "language = \($0)" }, minAge.map { "age >= \($0)" },
      maxAge.map { "age <= \($0)" }, isNearbyOnly ? "city = \(city ?? "")" : nil,
    ].compactMap(\.self)
  }
}
