import Model
import Store

/// The sections with the users by gender, age and place, and the profiles by tier.
enum UsersPeople {
  static func section(_ data: UsersData) -> Section {
    Section(
      id: "people", title: "Gender, age and tier",
      lead:
        UsersSample.lead(data)
        + "As the users told the app; what they left out is counted as not told. "
        + (data.accountTiers == nil
          ? "The documents do not say who subscribes, so tiers are those of the workspace's own "
            + "profiles."
          : "Tiers are those of the accounts in Firebase Authentication, by their custom claims; an "
            + "account whose claims do not say counts as free."),
      blocks: [
        table("genders", "By gender", data.genders, of: data, ("gender", "Gender")), ages(data),
        tiers(data),
      ])
  }

  static func places(_ data: UsersData) -> Section {
    Section(
      id: "places", title: "Countries and languages",
      lead: UsersSample.lead(data) + "The most frequent first.",
      blocks: [
        table("countries", "By country", data.countries, of: data, ("country", "Country")),
        table("languages", "By language", data.languages, of: data, ("language", "Language")),
      ])
  }

  private static func tiers(_ data: UsersData) -> Block {
    let tiers = data.accountTiers ?? data.tiers
    let total = tiers.values.reduce(0, +)
    let (id, title) =
      data.accountTiers == nil ? ("profiles", "Profiles") : ("accounts", "Accounts")
    return .table(
      id: "tiers", title: "\(title) by tier", of: total == 0 ? [] : Tier.allCases,
      columns: [
        Column("tier", "Tier", .leading) { .text($0.rawValue) },
        Column(id, title) { .count(tiers[$0] ?? 0) },
        Column("share", "Share") { .ratio(Ratio(tiers[$0] ?? 0, of: total)) },
      ],
      emptyText: "The workspace has no profile yet.")
  }

  private static func ages(_ data: UsersData) -> Block {
    let bands = Dictionary(
      data.ages.map { (AgeBand(years: $0.key), $0.value) }, uniquingKeysWith: +)
    let counts =
      AgeBand.allCases.map { UsersData.NamedCount(name: $0.rawValue, count: bands[$0] ?? 0) }
      + [UsersData.NamedCount(name: "", count: data.unknownAge)]
    return table("ages", "By age", data.total == 0 ? [] : counts, of: data, ("age", "Age"))
  }

  /// `name` is the id and title of the column with the names.
  ///
  /// A sample has no shares.
  private static func table(
    _ id: String, _ title: String, _ counts: [UsersData.NamedCount], of data: UsersData,
    _ name: (id: String, title: String)
  ) -> Block {
    .table(
      id: id, title: title, of: counts,
      columns: [
        Column(name.id, name.title, .leading) { .text($0.name.isEmpty ? "Not told" : $0.name) },
        Column("users", "Users", drawsBars: true) { .count($0.count) },
      ] + UsersSample.shares(of: data) { $0.count },
      shownLimit: 12, emptyText: "No users yet.")
  }
}

/// The age bands of the users report: docs/reports.md#users.
enum AgeBand: String, CaseIterable {
  case under18 = "Under 18"
  case to24 = "18–24"
  case to34 = "25–34"
  case to44 = "35–44"
  case to54 = "45–54"
  case to64 = "55–64"
  case over64 = "65 and over"

  init(years: Int) {
    switch years {
    case ..<18: self = .under18
    case ..<25: self = .to24
    case ..<35: self = .to34
    case ..<45: self = .to44
    case ..<55: self = .to54
    case ..<65: self = .to64
    default: self = .over64
    }
  }
}
