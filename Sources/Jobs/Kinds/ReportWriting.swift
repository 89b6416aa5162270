import Foundation
import Model
import Reports
import Rules
import Store

/// The kind `report`: writes the pages anew; see `docs/jobs.md#report`.
package struct ReportWriting: JobWork {
  /// Rows of a list in the CSV and the JSON; the pages show the first of them.
  static let listedRows = 1_000

  private let options: ReportOptions
  private let context: JobContext

  package init(_ options: ReportOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  /// Where the pages go.
  package var folder: String { context.workspace.path(options.output) }

  func plan() throws -> String {
    "Would write \(options.reports.map(\.rawValue).joined(separator: ", ")) to \(folder)."
  }

  package func perform() async throws -> JobResult {
    let ownStyle = try options.styleSheet.map { name in
      try StyleSheetFile(name: name, path: context.workspace.path(name)).read()
    }
    let files = try ReportSet.files(
      of: try reports(), formats: options.formats.map(\.reportFormat), ownStyle: ownStyle)
    try makeFolder()
    try AtomicFile.removeAbandoned(in: folder)
    for file in files {
      try AtomicFile.write(file.bytes, to: "\(folder)/\(file.name)")
    }
    return JobResult(.ok, "\(files.count) files in \(folder).")
  }

  private func reports() throws -> [Report] {
    let frame = try frame()
    let settings = try context.settings()
    let all = try context.store.read { reader in
      let profile = try profileName(reader)
      return ReportSet.make(
        frame: frame,
        usage: try reader.usageFacts(frame, heaviest: Self.listedRows),
        limits: try reader.limitsFacts(
          settings: settings, price: context.config.prices[.lite], changes: Self.listedRows,
          profile: profile, now: frame.now),
        ratings: try reader.ratingsFacts(frame, settings: settings, profile: profile),
        users: try reader.usersFacts(at: frame.now, newest: Self.listedRows),
        runs: withOwnRun(try runsFacts(reader, frame)),
        outlook: try LedgerOutlook.make(
          reader, settings: settings, from: frame.start, to: frame.end))
    }
    let wanted = Set(options.reports.map(\.rawValue) + ["index"])
    return all.filter { wanted.contains($0.name.rawValue) }
  }

  /// The profile whose own state the pages show.
  private func profileName(_ reader: Reader) throws -> String {
    let name = options.profile ?? context.profileName
    let known = try reader.profileNames()
    guard name == Profile.defaultName || known.contains(name) else {
      throw JobsError.unknownProfile(
        name: name, closest: ClosestName.closest(to: name, among: known))
    }
    return name
  }

  private func runsFacts(_ reader: Reader, _ frame: ReportFrame) throws -> RunsFacts {
    let zone = try timeZone()
    let jobs = context.jobs.map { job in
      RunsFacts.Job(
        name: job.name, kind: job.kind.name.rawValue, description: job.description,
        schedule: job.schedule?.fields,
        lastDueAt: job.schedule?.lastDue(at: context.now, timeZone: zone))
    }
    return try reader.runsFacts(frame, jobs: jobs, price: context.config.cost.price)
  }

  /// Shows the run that writes these pages as done, which it is for whoever reads them.
  private func withOwnRun(_ facts: RunsFacts) -> RunsFacts {
    var facts = facts
    let ended = context.now + context.elapsed()
    func settle(_ run: Run) -> Run {
      guard run.kind == JobKind.Name.report.rawValue, run.endedAt == nil,
        run.startedAt >= context.now
      else { return run }
      var run = run
      run.endedAt = ended
      run.outcome = .ok
      return run
    }
    facts.runs = facts.runs.map(settle)
    facts.lastRuns = facts.lastRuns.mapValues(settle)
    for (job, run) in facts.lastRuns where run.endedAt == ended && run.outcome == .ok {
      facts.lastSuccesses[job] = run
    }
    return facts
  }

  /// The last days up to now, the first of them from midnight; now itself belongs to them.
  ///
  /// Now is when the pages are written, so that the runs of the same command lie before it.
  private func frame() throws -> ReportFrame {
    let now = context.now + context.elapsed()
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try timeZone()
    let today = calendar.startOfDay(for: now.date)
    let first =
      calendar.date(byAdding: .day, value: 1 - options.periodDays, to: today) ?? today
    return ReportFrame(
      appName: context.config.app.name, now: now,
      timeZone: context.config.timeZone, start: Instant(first),
      end: now + .microseconds(1))
  }

  private func timeZone() throws -> TimeZone {
    guard let zone = TimeZone(identifier: context.config.timeZone) else {
      preconditionFailure("the configuration's time zone was checked when it was read")
    }
    return zone
  }

  private func makeFolder() throws(JobsError) {
    do {
      try FileContents.makeFolder(folder)
    } catch {
      throw .file(error)
    }
  }
}

extension ReportOptions.Format {
  fileprivate var reportFormat: ReportFormat {
    switch self {
    case .html: .html
    case .text: .text
    case .json: .json
    case .csv: .csv
    }
  }
}
