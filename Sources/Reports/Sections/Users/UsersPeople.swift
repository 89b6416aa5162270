import Model

/// Users by what they said about themselves.
enum UsersPeople {
  static func section(_ facts: UsersFacts) -> Section {
    Section(
      id: "people", title: "Gender, age and tier",
      lead:
        "As the users told the app; what they left out is counted as not told. The documents do "
        + "not say who subscribes, so tiers are those of the workspace's own profiles.",
      blocks: [
        .table(
          UsersPlaces.table(
            "genders", "By gender", Table.Column("gender", "Gender", .leading), facts.genders,
            of: facts.total)),
        .table(ages(facts)), .table(tiers(facts)),
      ])
  }

  private static func tiers(_ facts: UsersFacts) -> Table {
    let total = facts.tiers.values.reduce(0, +)
    return Table(
      id: "tiers", title: "Profiles by tier",
      columns: [
        Table.Column("tier", "Tier", .leading), Table.Column("profiles", "Profiles"),
        Table.Column("share", "Share"),
      ],
      rows: total == 0
        ? []
        : Tier.allCases.map { tier in
          let count = facts.tiers[tier] ?? 0
          return Table.Row([.text(tier.rawValue), .count(count), .ratio(Ratio(count, of: total))])
        },
      emptyText: "The workspace has no profile yet.")
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
