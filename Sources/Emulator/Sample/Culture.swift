/// Where a sample user lives, and what people are called there.
struct Culture: Sendable {
  struct Place: Sendable {
    let city: String
    let state: String
    let areas: [String]
  }

  /// English ISO 3166 name.
  let country: String
  /// English ISO 639 name.
  let language: String
  /// How many of a hundred or so users live there.
  let weight: Int
  let utcOffsetHours: Int
  let places: [Place]
  let women: [String]
  let men: [String]
  let families: [String]

  /// Names are separated by blanks, places by `;`, their parts (city, state, areas) by `,`.
  init(
    _ country: String, _ language: String, weight: Int, utc: Int, places: String, women: String,
    men: String, families: String
  ) {
    self.country = country
    self.language = language
    self.weight = weight
    utcOffsetHours = utc
    self.places = places.split(separator: ";").map { Place(parsing: $0) }
    self.women = women.split(separator: " ").map(String.init)
    self.men = men.split(separator: " ").map(String.init)
    self.families = families.split(separator: " ").map(String.init)
  }
}

extension Culture.Place {
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
