/// A country of sample users with its places and names: a part of `cultures.txt`.
struct SampleLocale: Sendable {
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

  static let all = String(decoding: PackageResources.cultures_txt, as: UTF8.self)
    .split(separator: "\n\n").map { SampleLocale(parsing: $0) }

  /// Lines: country, language, weight and hours from UTC; places; women; men; families.
  ///
  /// Separators: `;` between places, `,` between city, state and areas, blanks between names.
  private init(parsing text: Substring) {
    func parts(_ line: Substring) -> [String] {
      line.split(separator: ",").map { part in String(part.drop { $0 == " " }) }
    }
    let lines = text.split(separator: "\n")
    guard lines.count == 5, case let head = parts(lines[0]), head.count == 4,
      let weight = Int(head[2]), let hours = Int(head[3])
    else { preconditionFailure("not five lines of a culture: \(text)") }
    (country, language, self.weight, utcOffsetHours) = (head[0], head[1], weight, hours)
    places = lines[1].split(separator: ";").map { place in
      let parts = parts(place)
      return Town(city: parts[0], state: parts[1], areas: Array(parts.dropFirst(2)))
    }
    let names = lines[2...].map { $0.split(separator: " ").map(String.init) }
    (women, men, families) = (names[0], names[1], names[2])
  }
}
