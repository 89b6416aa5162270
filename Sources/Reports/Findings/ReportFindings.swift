import Model
import Store

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
    let settings = context.findingSettings
    let troubled = RootCauses.troubledKinds(runs)
    // A release that nobody wants to hear of explains nothing; an outage explains its day.
    let releases = settings.isOn(.release) ? releaseFindings(calendar) : []
    let days = UsageFindings(
      usage, changes: limits.changes, settings: settings, calendar: calendar
    ).findings(
      importFails: troubled.contains("import-events"), readsFail: !troubled.isEmpty,
      releaseFell: releases.contains { $0.level >= .warn })
    let regions = RegionFindings(
      shares: usage.countries,
      fewest: settings.floor(of: .region, own: Double(RegionFindings.fewestPeople)))
    let forecast = ReadForecast(usage.history, settings: settings, calendar: calendar)
    let reads = forecast?.findings(
      maxPerDay: runs.maxReadsPerDay, price: runs.ownPrice,
      floor: settings.floor(of: .reads, own: 0))
    return (days + releases + regions.findings() + (reads ?? [])).filter { finding in
      finding.rule.map(settings.isOn) ?? true
    }
  }

  private func releaseFindings(_ calendar: ReportCalendar) -> [Finding] {
    ReleaseFindings(
      ratings: ratings, calendar: calendar, now: context.now,
      fewest: context.findingSettings.floor(
        of: .release, own: Double(ReleaseFindings.fewestRatings))
    ).findings()
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
    let isIncident = found.contains { finding in
      ["outage ", "lost-export "].contains { finding.subject?.hasPrefix($0) == true }
    }
    return findings.filter { finding in
      switch finding.subject {
      case noEvents: !isIncident && !kinds.contains("import-events")
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

/// Finds countries that were absent and are a part of the app now: docs/findings.md#new-regions.
struct RegionFindings {
  /// Taps that both samples need.
  static let fewestTaps = 200
  /// People that the country needs.
  static let fewestPeople = 20
  /// The least share of people or taps now, in percent, and the most before.
  static let leastShare = 5
  static let mostBefore = 1

  let shares: CountryShares
  /// People that the country needs; the floor of the rule `region`.
  var fewest = Double(fewestPeople)

  func findings() -> [Finding] {
    guard shares.recent.taps >= Self.fewestTaps, shares.earlier.taps >= Self.fewestTaps else {
      return []
    }
    let names = Set(shares.recent.tapsByCountry.keys).sorted()
    return names.filter(isNew).map(finding)
  }

  private func isNew(_ country: String) -> Bool {
    let people = shares.recent.peopleByCountry[country] ?? 0
    guard Double(people) >= fewest else { return false }
    let taps = shares.recent.tapsByCountry[country] ?? 0
    let isThere =
      people * 100 >= Self.leastShare * shares.recent.people
      || taps * 100 >= Self.leastShare * shares.recent.taps
    let tapsBefore = shares.earlier.tapsByCountry[country] ?? 0
    let peopleBefore = shares.earlier.peopleByCountry[country] ?? 0
    return isThere && tapsBefore * 100 <= Self.mostBefore * shares.earlier.taps
      && peopleBefore * 100 <= Self.mostBefore * shares.earlier.people
  }

  private func finding(_ country: String) -> Finding {
    let now = Ratio(shares.recent.peopleByCountry[country] ?? 0, of: shares.recent.people)
    let then = Ratio(shares.earlier.peopleByCountry[country] ?? 0, of: shares.earlier.people)
    var finding = Finding(
      .notice,
      "\(country) is new: \(NumberWords.percent(now.percent)) of the people of the last 7 days, "
        + "\(NumberWords.percent(then.percent)) of those of the 28 days before.",
      report: .users, section: "places", subject: "region \(country)")
    finding.rule = .region
    finding.evidence = [
      Evidence("People in \(country)", now.part, .people),
      Evidence("People in all", now.whole, .people),
      Evidence(
        "Share of taps in \(country)",
        Ratio(shares.recent.tapsByCountry[country] ?? 0, of: shares.recent.taps).share * 100,
        .percent),
    ]
    finding.advice = "See whether the language, the price and the servers suit \(country)."
    finding.weight = Double(now.part)
    return finding
  }
}
