import GRDB
package import Model

package struct UsersQuery: Hashable, Sendable {
  package var filter: UserFilter
  /// The city for `filter.isNearbyOnly`, which matches nobody without one.
  package var nearCity: String?
  /// A part of the name, in any case; nil for any name.
  package var nameContaining: String?
  /// Places are compared exactly; nil for any.
  package var area: String?
  package var city: String?
  package var state: String?

  package init(
    _ filter: UserFilter = .none, nearCity: String? = nil, nameContaining: String? = nil
  ) {
    self.filter = filter
    self.nearCity = nearCity
    self.nameContaining = nameContaining
  }

  package static let everyone = UsersQuery()
}

/// The last row of a page; the next page continues after it.
package struct UserCursor: Hashable, Sendable {
  package var lastSeenAtSeconds: Int64
  package var id: Int64
}

/// As commands take and print it: `{unix seconds}:{row id}`.
extension UserCursor {
  package init?(argument: String) {
    let parts = argument.split(separator: ":").map { Int64($0) }
    guard parts.count == 2, let seconds = parts[0], let id = parts[1] else { return nil }
    self.init(lastSeenAtSeconds: seconds, id: id)
  }

  package var argument: String { "\(lastSeenAtSeconds):\(id)" }
}

/// A page of users and the cursor of the next one.
package struct UserPage: Hashable, Sendable {
  package var users: [OnlineUser]
  /// Nil on the last page.
  package var next: UserCursor?
}

/// The WHERE clause of a query for users, with its bound values.
struct UserConditions {
  private var terms: [String] = []
  private(set) var arguments = StatementArguments()

  var clause: String {
    terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
  }

  init(_ query: UsersQuery) {
    let filter = query.filter
    if let gender = filter.gender { add("user_gender = ? COLLATE NOCASE", [gender.rawValue]) }
    if let country = filter.country { add("user_country = ?", [country]) }
    if let language = filter.language { add("user_language = ?", [language]) }
    if let minAge = filter.minAge { add("\(Self.age) >= ?", [minAge]) }
    if let maxAge = filter.maxAge { add("\(Self.age) <= ?", [maxAge]) }
    if filter.isNearbyOnly { add("user_city = ?", [query.nearCity]) }
    if let area = query.area { add("user_area = ?", [area]) }
    if let city = query.city { add("user_city = ?", [city]) }
    if let state = query.state { add("user_state = ?", [state]) }
    if let name = query.nameContaining {
      let (function, text) = Self.withoutCase(name)
      add("instr(\(function)(user_name), ?) > 0", [text])
    }
  }

  mutating func add(_ term: String, _ values: StatementArguments) {
    terms.append(term)
    arguments += values
  }

  /// SQLite's function for ASCII text, which is much faster; GRDB's for other scripts.
  ///
  /// That one makes capitals, because some letters have several small forms, such as σ and ς.
  private static func withoutCase(_ text: String) -> (function: String, text: String) {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? ("lower", text.lowercased()) : ("swiftUppercaseString", text.uppercased())
  }

  /// The SQL of the age in years; NULL, which no comparison matches, when the text is no number.
  ///
  /// It accepts ASCII digits, as the rows' own filter does.
  static let age = """
    CASE WHEN ltrim(user_age, '0123456789') = '' AND length(user_age) BETWEEN 1 AND 18
    THEN CAST(user_age AS INTEGER) END
    """
}
