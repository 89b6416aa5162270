import Model

/// The section with what kept jobs from doing well: docs/incidents.md.
enum RunIncidents {
  static func section(_ incidents: [JobIncident], now: Instant) -> Section {
    Section(
      id: "incidents", title: "Incidents",
      lead: "One cause is one incident, whatever number of runs it took. Those that last come "
        + "first.",
      blocks: [
        .figures([
          Figure(
            id: "open-incidents", label: "Open incidents",
            value: .count(incidents.count { !$0.isOver }))
        ]),
        .table(table(incidents, now: now)),
      ])
  }

  /// `1 incident is open.`; nil without any.
  static func sentence(_ incidents: [JobIncident]) -> String? {
    let open = incidents.count { !$0.isOver }
    return open == 0
      ? nil : "\(NumberWords.counted(open, "incident is", "incidents are")) open."
  }

  private static func table(_ incidents: [JobIncident], now: Instant) -> Table {
    Table(
      id: "incidents", title: "Of this period", of: incidents,
      columns: [
        Column("began_at", "Began", .leading) { .instant($0.beganAt) },
        Column("state", "State", .leading) { incident in
          incident.isOver ? .level(.pass, "over") : .level(.error, "lasts")
        },
        Column("what", "What", .leading) { .text(IncidentWords.name(of: $0)) },
        Column("seconds", "Lasted") { incident in
          .seconds(((incident.endedAt ?? now) - incident.beganAt).fractionalSeconds)
        },
        Column("runs", "Runs") { .count($0.runs) },
        Column("told_at", "Last told", .leading) { .optional($0.told?.at) },
      ],
      shownLimit: 25, emptyText: "No incident in this period.")
  }
}
