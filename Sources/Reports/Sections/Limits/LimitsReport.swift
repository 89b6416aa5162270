package import Model
package import Store

/// The limits in force, and what they allow each profile now: docs/reports.md#limits.
package enum LimitsReport {
  package static func make(
    _ data: LimitsData, whatIf: WhatIfResult? = nil, context: ReportContext
  ) -> Report {
    let statuses = LimitStatus.all(data, now: context.now)
    let time = TimeWords(context: context)
    // The app's people first, the profiles of this workspace last.
    let sections = [
      LimitWhatIf.section(whatIf, data.settings, time),
      LimitProposals.section(data, time, periodEnd: context.end),
      LimitExperiments.section(data.experiments, time), LimitSettings.section(data),
      Section(.limits, "history"), LimitOverview.section(statuses, data.settings),
      MomentQuotas.section(data),
      PopupsReport.link(of: "The popups and the paywall in every state.", context),
      LimitDecisions.section(data, now: context.now),
    ].compactMap(\.self)
    let figures = LimitWhatIf.figures(whatIf, data.settings)
    return Report(
      name: .limits, title: "Limits", context: context,
      dataTime: Report.DataTime(
        label: "Settings read", at: data.fetched.map(\.fetchedAt).max()),
      summary: LimitWhatIf.sentence(whatIf, data.settings) ?? LimitOverview.sentence(statuses),
      headline: figures.isEmpty ? headline(of: statuses, data) : figures,
      findings: findings(data), sections: sections)
  }

  /// Of this workspace's profiles, where nobody else has attempts.
  private static func headline(of statuses: [LimitStatus], _ data: LimitsData) -> [Figure] {
    func count(_ allowed: LimitAvailability...) -> Cell {
      .ratio(
        Ratio(statuses.count { allowed.contains($0.availability) }, of: statuses.count))
    }
    return [
      Figure(
        id: "profiles", label: "Profiles", value: .count(data.profiles.count),
        note: "of this workspace's commands", section: "standings"),
      Figure(
        id: "free-to-use", label: "May be used now", value: count(.available, .bypassed),
        note: "pairs of profile and feature"),
      Figure(id: "cooling-down", label: "Cooling down", value: count(.coolingDown)),
      Figure(id: "at-limit", label: "At the limit", value: count(.atLimit)),
    ]
  }

  private static func findings(_ data: LimitsData) -> [Finding] {
    let warnings = data.settings.all.compactMap(\.warning).map {
      Finding(.warn, $0, report: .limits, section: LimitSettings.id)
    }
    guard data.fetched.isEmpty else { return warnings }
    return warnings + [
      Finding(
        .warn, "No settings of the app have been read; the built-in limits are in force.",
        report: .limits, section: LimitSettings.id, subject: RootCauses.noSettings)
    ]
  }
}

/// The section with the settings in force; what their sources sent, and what changed, are queries.
enum LimitSettings {
  static let id = "settings"
  static func section(_ data: LimitsData) -> Section {
    Section(
      .limits, id,
      [
        .table(
          id: "settings", title: "In force", of: data.settings.all,
          columns: [
            Column("setting", "Setting", .leading) { .code($0.key.rawValue) },
            Column("value", "Value") { value($0) },
            Column("source", "Source", .leading) { .text($0.source.rawValue) },
            Column("read_at", "Read", .leading) { .optional($0.fetchedAt) },
            Column("warning", "Warning", .leading, wraps: true) { .optional($0.warning) },
          ],
          emptyText: "No setting has a value.", isFolded: true)
      ])
  }

  /// In its unit.
  private static func value(_ setting: EffectiveSetting) -> Cell {
    guard let value = setting.value else { return .text("not limited") }
    return setting.key.descriptor.unit == .seconds ? .seconds(Double(value)) : .count(value)
  }
}
