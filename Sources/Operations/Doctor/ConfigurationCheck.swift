import Feeds
import Foundation
import Jobs
import Model
import Store
import Workspace

/// Checks whether `firetally.yml` is valid and complete.
struct ConfigurationCheck: DoctorCheck {
  static let name = "configuration"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    switch context.workspace.config {
    case .success(let config):
      try ok("\(WorkspaceConfig.fileName) is right.") + exampleValues(in: config, context)
        + unsetVariables(context) + undelivered(of: config)
    case .failure(.configuration(let error)):
      error.problems.flatMap { fail($0.description, "See docs/jobs.md#configuration.") }
    case .failure(let error): fail(error.description)
    }
  }

  /// Returns a finding for each hook variable that is not set in this shell; cron may set it.
  private func unsetVariables(_ context: DoctorContext) throws -> [DoctorFinding] {
    try context.workspace.folder.unsetHookVariables().flatMap { problem in
      warn(
        "\(problem).",
        "Only jobs need it: this shell lacks what the crontab or the unit may set. See that it is "
          + "set there, then try it there with `firetally hooks test`.", about: problem.keyPath)
    }
  }

  /// Returns a finding when Google Analytics would drop events because of their names:
  /// docs/jobs.md#analytics.
  ///
  /// It covers the features that every app limits.
  private func undelivered(of config: WorkspaceConfig) -> [DoctorFinding] {
    guard config.analytics != nil else { return [] }
    let features = Feature.allCases.filter { $0.limitKey.descriptor.builtIn != nil }
    let names = features.flatMap { feature in
      EventKind.allCases.map { kind in
        FeatureEventName(platform: config.app.platform.rawValue, feature: feature, kind: kind).text
      }
    }.filter { $0.count > MeasurementBody.longestName }
    guard !names.isEmpty else { return [] }
    return warn(
      "Google Analytics takes names of \(MeasurementBody.longestName) characters at most: "
        + "\(names.joined(separator: ", ")) are not delivered.",
      "They stay in the ledger, and reports count them.", about: "analytics")
  }

  /// Returns a finding when another project still has the app of the example.
  ///
  /// Fetched settings prove that the app is correct, because its settings document exists.
  private func exampleValues(
    in config: WorkspaceConfig, _ context: DoctorContext
  ) throws -> [DoctorFinding] {
    let example = TemplateValues.exampleApp
    let left = [
      config.app.name == example.name ? "app.name (\(example.name))" : nil,
      config.app.bundleId == example.bundleId ? "app.bundle_id (\(example.bundleId))" : nil,
    ].compactMap(\.self)
    guard !left.isEmpty, config.firestore.project != TemplateValues.example.project else {
      return []
    }
    if case .success(let store?) = context.workspace.database,
      try !store.read({ try $0.fetchedSettings(from: .appSettings) }).isEmpty
    {
      return []
    }
    return warn(
      "\(WorkspaceConfig.fileName) has the example's \(left.joined(separator: " and ")).",
      "Write your app's own: settings and feedback are looked for by them.", about: "app")
  }
}

/// Checks whether every job file is valid.
struct JobFilesCheck: DoctorCheck {
  static let name = "jobs"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let catalog = try context.workspace.catalog.get()
    let broken = catalog.broken.flatMap { job in
      job.error.problems.flatMap { fail($0.description, about: job.name) }
    }
    let count = catalog.jobs.count
    if count == 0, broken.isEmpty {
      return warn("jobs/ has no job files.", "`firetally init` writes the shipped ones.")
    }
    guard count > 0 else { return broken }
    let other = broken.isEmpty ? "" : "other "
    return broken
      + ok(count == 1 ? "1 \(other)job file is right." : "\(count) \(other)job files are right.")
  }
}

/// Checks whether the system has time zone data, which schedules and days depend on.
struct TimeZoneCheck: DoctorCheck {
  static let name = "time-zone"

  /// New York, with known offsets in January and July of 2026.
  private static let sample = (
    name: "America/New_York", january: Instant(unixSeconds: 1_768_478_400),
    july: Instant(unixSeconds: 1_784_116_800)
  )

  func findings(in context: DoctorContext) -> [DoctorFinding] {
    let advice = "Install it, on Debian with `apt-get install tzdata`."
    let sample = context.machine.timeZone(Self.sample.name)
    let offsets = [Self.sample.january, Self.sample.july].map {
      sample?.secondsFromGMT(for: $0.date)
    }
    guard offsets == [-18_000, -14_400] else {
      return fail(
        "There is no time zone data: \(Self.sample.name) is unknown or has no summer time.", advice)
    }
    guard case .success(let config) = context.workspace.config else {
      return ok("Time zone data was found.")
    }
    guard let zone = context.machine.timeZone(config.timeZone) else {
      return fail("There is no data for time_zone \(config.timeZone).", advice)
    }
    let now = ZonedTime(context.clock.now, in: zone)
    return ok("Time zone data was found; in \(config.timeZone) it is \(now).")
  }
}
