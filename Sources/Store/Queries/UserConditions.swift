import GRDB
import Model

/// The WHERE clause of a question about users, with its bound values.
struct UserConditions {
  private var terms: [String] = []
  private(set) var arguments = StatementArguments()

  var clause: String {
    terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
  }

  init(_ question: UserQuestion) {
    let filter = question.filter
    if let gender = filter.gender { add("user_gender = ? COLLATE NOCASE", [gender.rawValue]) }
    if let country = filter.country { add("user_country = ?", [country]) }
    if let language = filter.language { add("user_language = ?", [language]) }
    if let minAge = filter.minAge { add("\(Self.age) >= ?", [minAge]) }
    if let maxAge = filter.maxAge { add("\(Self.age) <= ?", [maxAge]) }
    if filter.isNearbyOnly { add("user_city = ?", [question.nearCity]) }
    if let area = question.area { add("user_area = ?", [area]) }
    if let city = question.city { add("user_city = ?", [city]) }
    if let state = question.state { add("user_state = ?", [state]) }
    if let name = question.nameContaining {
      add("instr(\(Self.lowercase(name))(user_name), ?) > 0", [name.lowercased()])
    }
  }

  mutating func add(_ term: String, _ values: StatementArguments) {
    terms.append(term)
    arguments += values
  }

  /// SQLite's own function for a text of ASCII, which is much faster; GRDB's for every other script.
  private static func lowercase(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? "lower" : "swiftLowercaseString"
  }

  /// The age in years as SQL; NULL, which no comparison matches, when the text is not a number.
  ///
  /// Reads what `OnlineUser.ageInYears` reads: ASCII digits with an optional sign.
  static let age = """
    CASE WHEN ltrim(\(digits), '0123456789') = '' AND length(\(digits)) BETWEEN 1 AND 18
    THEN CAST(user_age AS INTEGER) END
    """

  private static let digits = """
    iif(substr(user_age, 1, 1) IN ('+', '-'), substr(user_age, 2), user_age)
    """
}
