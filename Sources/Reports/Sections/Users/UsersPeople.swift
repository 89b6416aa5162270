import Model

/// Users by what they said about themselves.
enum UsersPeople {
  static func section(_ facts: UsersFacts) -> Section {
    Section(
      id: "people", title: "Gender and age",
      lead: "As the users told the app; what they left out is counted as not told.",
      blocks: [
        .table(
          UsersPlaces.table(
            "genders", "By gender", Table.Column("gender", "Gender", .leading), facts.genders,
            of: facts.total)),
        .table(ages(facts)),
      ])
  }

  private static func ages(_ facts: UsersFacts) -> Table {
    let bands = Dictionary(
      facts.ages.map { (AgeBand(years: $0.key), $0.value) }, uniquingKeysWith: +)
    let counts =
      AgeBand.allCases.map { UsersFacts.Count(name: $0.rawValue, count: bands[$0] ?? 0) }
      + [UsersFacts.Count(name: "", count: facts.unknownAge)]
    return UsersPlaces.table(
      "ages", "By age", Table.Column("age", "Age", .leading), facts.total == 0 ? [] : counts,
      of: facts.total)
  }
}
