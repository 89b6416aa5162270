import Model

/// What the days, the versions and the costs of an app say to a person: docs/findings.md.
struct ReportFindings {
  let context: ReportContext
  let usage: UsageData
  let limits: LimitsData
  let ratings: RatingsData
  let runs: RunsData

  /// In no order; none for one profile alone, whose days are no app.
  func found() -> [Finding] {
    guard context.scope == nil else { return [] }
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let releases = ReleaseFindings(ratings: ratings, calendar: calendar, now: context.now)
      .findings()
    let troubled = RootCauses.troubledKinds(runs)
    let days = UsageFindings(usage, changes: limits.changes, calendar: calendar).findings(
      importFails: troubled.contains("import-events"), readsFail: !troubled.isEmpty,
      releaseFell: releases.contains { $0.level >= .warn })
    let forecast = ReadForecast(usage.history, calendar: calendar)
    return days + releases + RegionFindings(shares: usage.countries).findings()
      + (forecast?.findings(maxPerDay: runs.maxReadsPerDay, price: runs.ownPrice) ?? [])
  }
}

/// Leaves out findings that another one explains: docs/findings.md#causes.
enum RootCauses {
  /// The subjects of findings that something is missing.
  static let noEvents = "no-events"
  static let noSettings = "no-settings"
  static let noUsers = "no-users"

  /// The findings of a page without those that the found ones or a job in trouble explain.
  static func open(
    _ findings: [Finding], explainedBy found: [Finding], _ runs: RunsData
  ) -> [Finding] {
    let kinds = troubledKinds(runs)
    let isDisturbed = found.contains { finding in
      ["outage ", "lost-export "].contains { finding.subject?.hasPrefix($0) == true }
    }
    return findings.filter { finding in
      switch finding.subject {
      case noEvents: !isDisturbed && !kinds.contains("import-events")
      case noSettings: !kinds.contains("sync-settings")
      case noUsers: !kinds.contains("sync-users")
      default: true
      }
    }
  }

  /// The kinds of the jobs that have a finding of their own, worse than a note.
  static func troubledKinds(_ runs: RunsData) -> Set<String> {
    Set(JobHealth.all(runs).filter { $0.level >= .warn }.map(\.job.kind))
  }
}
