package import Model

/// The section with what the workspace has to deliver, and its findings.
package enum RatingOutbox {
  static let id = "outbox"
  /// The subject of the finding about rejected items.
  package static let rejectedSubject = "rejected"

  static func section(_ data: RatingsData) -> Section {
    Section(
      id: id, title: "Outbox",
      lead: "Everything that has to leave the workspace, by how far it got.",
      blocks: [.table(table(data))])
  }

  /// What needs a person: rejected items, then waiting ones.
  package static func findings(_ outbox: [OutboxItem.State: Int]) -> [Finding] {
    let rejected = outbox[.rejected] ?? 0
    let waiting = (outbox[.queued] ?? 0) + (outbox[.sending] ?? 0)
    var findings: [Finding] = []
    if rejected > 0 {
      findings.append(
        Finding(
          .error,
          "\(NumberWords.counted(rejected, "outbox item was", "outbox items were")) rejected by the "
            + "server; `outbox list --state rejected` says why.",
          report: .ratings, section: id, subject: rejectedSubject))
    }
    if waiting > 0 {
      findings.append(
        Finding(
          .notice,
          "\(NumberWords.counted(waiting, "outbox item waits", "outbox items wait")) to be "
            + "delivered.",
          report: .ratings, section: id, subject: "waiting"))
    }
    return findings
  }

  private static func table(_ data: RatingsData) -> Table {
    let total = data.outbox.values.reduce(0, +)
    let rows = OutboxItem.State.allCases.map { (state: $0, count: data.outbox[$0] ?? 0) }
    return Table(
      id: "outbox", title: "Items by state", of: total == 0 ? [] : rows,
      columns: [
        Column("state", "State", .leading) {
          .level($0.count > 0 && $0.state == .rejected ? .error : .pass, $0.state.rawValue)
        },
        Column("count", "Items") { .count($0.count) },
        Column("meaning", "Meaning", .leading) { .text($0.state.meaning) },
      ],
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
