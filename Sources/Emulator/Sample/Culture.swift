/// A country of sample users with its places and names.
struct Culture: Sendable {
  struct Town: Sendable {
    let city: String
    let state: String
    let areas: [String]
  }

  /// English ISO 3166 name.
  let country: String
  /// English ISO 639 name.
  let language: String
  /// The relative number of users who live there; about 100 over all cultures.
  let weight: Int
  let utcOffsetHours: Int
  let places: [Town]
  let women: [String]
  let men: [String]
  let families: [String]

  /// Separators: blanks between names, `;` between places, `,` between city, state and areas.
  init(
    _ country: String, _ language: String, weight: Int, utc: Int, places: String, women: String,
    men: String, families: String
  ) {
    self.country = country
    self.language = language
    self.weight = weight
    utcOffsetHours = utc
    self.places = places.split(separator: ";").map { Town(parsing: $0) }
    self.women = women.split(separator: " ").map(String.init)
    self.men = men.split(separator: " ").map(String.init)
    self.families = families.split(separator: " ").map(String.init)
  }
}

extension Culture.Town {
  fileprivate init(parsing text: Substring) {
    let parts = text.split(separator: ",").map { part in
      String(part.drop { $0 == " " })
    }
    self.init(
      city: parts.first ?? "", state: parts.dropFirst().first ?? "",
      areas: Array(parts.dropFirst(2)))
  }
}

extension Culture {
  static let all = americas + asia + europe
}
