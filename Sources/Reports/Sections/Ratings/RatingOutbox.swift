import Model

/// What still has to leave the workspace.
enum RatingOutbox {
  static let id = "outbox"

  static func section(_ facts: RatingsFacts) -> Section {
    Section(
      id: id, title: "Outbox",
      lead: "Everything that has to leave the workspace, by how far it got.",
      blocks: [.table(table(facts))])
  }

  private static func table(_ facts: RatingsFacts) -> Table {
    let total = facts.outbox.values.reduce(0, +)
    return Table(
      id: "outbox", title: "Items by state",
      columns: [
        Table.Column("state", "State", .leading), Table.Column("count", "Items"),
        Table.Column("meaning", "Meaning", .leading),
      ],
      rows: total == 0
        ? []
        : OutboxItem.State.allCases.map { state in
          let count = facts.outbox[state] ?? 0
          let level: Level = count > 0 && state == .rejected ? .error : .pass
          return Table.Row([
            .level(level, state.rawValue), .count(count), .text(state.meaning),
          ])
        },
      emptyText: "Nothing has to leave the workspace, and nothing has.")
  }
}

extension OutboxItem.State {
  fileprivate var meaning: String {
    switch self {
    case .queued: "Waits for the next upload."
    case .sending: "Is on its way, or was when the program stopped."
    case .delivered: "Arrived; the server has it."
    case .parked: "Waits for another day or an upgrade."
    case .rejected: "Refused for good; `outbox list` gives the reason."
    }
  }
}
