import Model

/// The relations that a reader of them asks for, with those that these are made of.
package struct RelationNeeds: Sendable {
  /// All of them.
  package static let all = RelationNeeds(names: Set(RelationTables.names), areOfPages: true)

  private let names: Set<String>
  /// Whether pages or findings are made, too, which read more than relations.
  let areOfPages: Bool

  private init(names: Set<String>, areOfPages: Bool) {
    self.names = names
    self.areOfPages = areOfPages
  }

  /// Those that a query names, and what their own queries name.
  package init(of sql: String) { self.init(of: [sql], areOfPages: false) }

  /// The same for the queries of pages.
  package init(ofPages queries: [String]) { self.init(of: queries, areOfPages: true) }

  private init(of queries: [String], areOfPages: Bool) {
    self.areOfPages = areOfPages
    var found: Set<String> = []
    var open = queries
    while let named = open.popLast().map({ QueryText($0.lowercased()).names }) {
      for name in RelationTables.names where named.contains(name) {
        guard found.insert(name).inserted else { continue }
        open.append(RelationTables.makings[name, default: ""])
      }
    }
    names = found
  }

  func have(_ wanted: String...) -> Bool { wanted.contains(where: names.contains) }

  /// What people did has to be counted for these.
  var havePeople: Bool {
    have(
      "person", "person_day", "use_day", "offer", "price_shown", "price_day", "subscription_tap",
      "block", "attempt", "filter_use", "popup", "newest_day")
  }

  var haveUsage: Bool { have("usage_hour", "usage_day", "newest_day") }
}

extension RelationTables {
  /// By the name of a relation, the SQL that makes it of others; none for those that the program
  /// fills.
  static let makings: [String: String] = {
    var makings = ["rating": "day period", "payment": "period"]
    for statement in creation.split(separator: "CREATE TEMP VIEW ").dropFirst() {
      // A view ends where the next statement begins; what it has too much does no harm.
      let text = statement.split(separator: "CREATE TEMP TABLE ", maxSplits: 1)[0]
      let name = text.prefix { !$0.isWhitespace }
      makings[String(name)] = String(text.dropFirst(name.count))
    }
    return makings
  }()
}
