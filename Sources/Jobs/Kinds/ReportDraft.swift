import Foundation
import Model
import Reports
import Rules
import Store

/// The reports of one moment, made from what the workspace holds.
struct ReportDraft {
  /// Rows of a list in the CSV and the JSON; the pages show the first of them.
  static let listedRows = 1_000

  let frame: ReportFrame
  /// The day that the reports are of, in their own time zone: `2026-11-21`.
  let day: String
  private let context: JobContext
  /// Whose own state the pages show.
  private let profileName: String
  /// Whose events, ratings and feedback alone are counted; nil for everybody's.
  private let scopeId: String?

  /// Now is when the pages are written, so that the runs of the same command lie before it.
  ///
  /// - Throws: `JobsError.report` when none of the period has come yet, or when the events of the
  ///   profile cannot be told from others.
  init(_ options: ReportOptions, _ context: JobContext) throws {
    let now = context.now + context.elapsed()
    let zone = options.timeZone ?? context.config.timeZone
    guard let span = options.period.span(at: now, in: try Self.timeZone(zone)) else {
      throw JobsError.report(.periodAhead)
    }
    profileName = try context.store.read { reader in
      try Self.profileName(options.profile ?? context.profileName, reader)
    }
    let scope = options.scope == .profile ? profileName : nil
    scopeId = try scope.map { try Self.userId(of: $0, context) }
    frame = ReportFrame(
      appName: context.config.app.name, now: now, timeZone: zone, start: span.lowerBound,
      end: span.upperBound, scope: scope, isAnonymous: options.isAnonymous)
    day = LocalDay(of: now, in: zone).text
    self.context = context
  }

  /// The index and the five reports, in that order; nil for `earlier` when none are kept.
  func reports(earlier: EarlierReport?) throws -> [Report] {
    let settings = try context.settings()
    let hash = frame.isAnonymous ? try PseudonymKey.hash(of: context.store) : nil
    return try context.store.read { reader in
      let usage = try reader.usageFacts(frame, heaviest: Self.listedRows, of: scopeId)
      let limits = try reader.limitsFacts(
        settings: settings, price: context.config.prices[.lite], changes: Self.listedRows,
        profile: profileName, now: frame.now)
      let ratings = try reader.ratingsFacts(
        frame, settings: settings, profile: profileName, newest: Self.listedRows, of: scopeId)
      let users = try reader.usersFacts(at: frame.now, newest: Self.listedRows)
      var runs = withOwnRun(try runsFacts(reader))
      runs.setAside(
        running: context.jobs, at: frame.now, isLocked: try WorkspaceLock.isHeld(context.workspace))
      let outlook = try LedgerOutlook.make(
        reader, settings: settings, from: frame.start, to: frame.end)
      guard let hash else {
        return ReportSet.make(
          frame: frame, usage: usage, limits: limits, ratings: ratings, users: users, runs: runs,
          outlook: outlook, earlier: earlier)
      }
      let cover = AnonymousFacts(
        Pseudonyms(hash) { try reader.userExists(id: $0) },
        profiles: limits.profiles.map(\.profile))
      return ReportSet.make(
        frame: cover.frame(frame), usage: cover.usage(usage), limits: cover.limits(limits),
        ratings: try cover.ratings(ratings, names: try names(in: ratings, reader)),
        users: cover.users(users), runs: try cover.runs(runs), outlook: outlook,
        earlier: earlier)
    }
  }

  /// The names of those who wrote feedback, by their ids.
  private func names(in facts: RatingsFacts, _ reader: Reader) throws -> [String: String] {
    let ids = Set(facts.feedback.map(\.feedback.userId))
    return try Dictionary(
      uniqueKeysWithValues: ids.map { ($0, try reader.user(id: $0)?.name ?? "") })
  }

  private static func profileName(_ name: String, _ reader: Reader) throws -> String {
    let known = try reader.profileNames()
    guard name == Profile.defaultName || known.contains(name) else {
      throw JobsError.unknownProfile(
        name: name, closest: ClosestName.closest(to: name, among: known))
    }
    return name
  }

  private static func userId(of profile: String, _ context: JobContext) throws -> String {
    guard let id = try context.store.read({ try $0.profile(named: profile)?.userId }) else {
      throw JobsError.report(.profileWithoutId(name: profile))
    }
    return id
  }

  /// Schedules mean the clock of the workspace, whatever the time zone of the reports.
  private func runsFacts(_ reader: Reader) throws -> RunsFacts {
    let zone = try Self.timeZone(context.config.timeZone)
    let jobs = context.jobs.map { job in
      let dueAt = job.schedule?.lastDue(at: context.now, timeZone: zone)
      return RunsFacts.Job(
        name: job.name, kind: job.kind.name.rawValue, description: job.description,
        schedule: job.schedule?.fields, lastDueAt: dueAt,
        dueBeforeAt: dueAt.flatMap {
          job.schedule?.lastDue(at: $0 - .microseconds(1), timeZone: zone)
        })
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

  private static func timeZone(_ name: String) throws -> TimeZone {
    guard let zone = TimeZone(identifier: name) else {
      preconditionFailure("the time zone was checked when the configuration was read")
    }
    return zone
  }
}
