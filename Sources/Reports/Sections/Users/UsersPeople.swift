import Model
import Store

/// The sections with the users by gender, age and place, which queries count, and the tiers.
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
          : "Tiers are those of the accounts in Firebase Authentication, by their custom claims; "
            + "an account whose claims do not say counts as free."),
      blocks: [tiers(data)])
  }

  static func places(_ data: UsersData) -> Section {
    Section(
      id: "places", title: "Countries and languages",
      lead: UsersSample.lead(data) + "The most frequent first.", blocks: [])
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
}
