import Model

/// The section with what people look for, and how many users there are of it:
/// docs/people.md#demand.
enum UsersDemand {
  static func section(
    _ data: DemandData?, _ users: UsersData, _ context: ReportContext
  ) -> Section {
    Section(
      id: "demand", title: "What people look for", lead: lead(data, context),
      blocks: data.map { $0.people == 0 ? [] : blocks($0, users) } ?? [])
  }

  private static func lead(_ data: DemandData?, _ context: ReportContext) -> String {
    guard let data, data.people > 0 else {
      return context.emptyText("Nobody tapped the filter in this period.")
    }
    let taps = data.combinations.map(\.taps).reduce(0, +)
    let answered = data.combinations.map(\.answered).reduce(0, +)
    let empty = data.combinations.map(\.empty).reduce(0, +)
    let results =
      answered == 0
      ? "No event says how many users were found."
      : "\(NumberWords.grouped(empty)) of \(NumberWords.grouped(answered)) that tell their result "
        + "found nobody."
    let sample =
      data.sampledOneIn > 1
      ? " Of one in \(NumberWords.grouped(data.sampledOneIn)) ids, chosen by chance." : ""
    return "\(NumberWords.counted(data.people, "person", "people")) tapped the filter "
      + "\(NumberWords.counted(taps, "time")) in this period. \(results)\(sample)"
  }

  private static func blocks(_ data: DemandData, _ users: UsersData) -> [Block] {
    [
      combinations(data),
      wanted(
        "demand-genders", "By gender", ("gender", "Gender"), data.genders, users.genders,
        data.people, users.total),
      wanted(
        "demand-countries", "By country", ("country", "Country"), data.countries, users.countries,
        data.people, users.total),
      .definitions(definitions),
    ]
  }

  private static func combinations(_ data: DemandData) -> Block {
    let taps = data.combinations.map(\.taps).reduce(0, +)
    return .table(
      id: "filter-combinations", title: "Criteria used together", of: data.combinations,
      columns: [
        Column("criteria", "Filtered by", .leading) { combination in
          .text(
            combination.criteria.isEmpty
              ? "no criterion" : combination.criteria.map(\.rawValue).joined(separator: " + "))
        },
        Column("taps", "Taps, of all") { .ratio(Ratio($0.taps, of: taps)) },
        Column("people", "People, of all") { .ratio(Ratio($0.people, of: data.people)) },
        Column("empty", "Found nobody, of results") { combination in
          combination.answered == 0
            ? .missing : .rate(Ratio(combination.empty, of: combination.answered))
        },
      ],
      shownLimit: 12)
  }

  private static func wanted(
    _ id: String, _ title: String, _ first: (id: String, title: String),
    _ demand: [DemandData.Wanted], _ supply: [UsersData.NamedCount], _ people: Int, _ users: Int
  ) -> Block {
    let held = Dictionary(supply.map { ($0.name.lowercased(), $0.count) }, uniquingKeysWith: +)
    return .table(
      id: id, title: title, of: demand,
      columns: [
        Column(first.id, first.title, .leading) { .text($0.name) },
        Column("people", "People who look for it") { .ratio(Ratio($0.people, of: people)) },
        Column("users", "Users of it") {
          .ratio(Ratio(held[$0.name.lowercased()] ?? 0, of: users))
        },
      ],
      shownLimit: 12, emptyText: "Nobody filtered by \(first.id) in this period.")
  }

  private static let definitions = [
    Definition(
      "People who look for it",
      "Of the people who tapped the filter; one may have looked for several."),
    Definition("Users of it", "Of the users that the last load brought, whoever is looking."),
    Definition(
      "Results", "Filters that were performed and say how many users they found."),
  ]
}
