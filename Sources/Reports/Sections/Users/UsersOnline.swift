import Model
import Store

/// The section with the users online at each load, by queries: docs/loads.md#online-now.
enum UsersOnline {
  static let id = "online"

  static func figure(_ data: UsersData) -> Figure {
    let newest = data.newestOnlineCount
    return Figure(
      id: "online-now", label: "Online now", value: .optional(newest?.online),
      note: newest.map { $0.isMinimum ? "at least, at the last load" : "at the last load" }
        ?? "counted from the next load on",
      section: id)
  }

  static let section = Section(
    id: id, title: "Online now",
    lead: "Users seen in the 5 minutes before a load, counted at each load of all users.",
    blocks: [])
}

/// The section that says when users were last seen, by queries.
enum UsersSeen {
  static let id = "last-seen"

  static func section(_ data: UsersData) -> Section {
    Section(
      id: id, title: "Last seen",
      lead:
        UsersSample.lead(data)
        + "Users by how long ago they were last seen: the 24 hours before this report one by one, "
        + "and all of them in wider steps.",
      blocks: [])
  }
}
