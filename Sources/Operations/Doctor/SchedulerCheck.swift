import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

/// Checks whether cron or a systemd timer starts every job that has a schedule; see
/// `docs/doctor.md#schedule`.
struct SchedulerCheck: DoctorCheck {
  static let name = "scheduler"

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let scheduled = try context.listedJobs().jobs.filter { $0.schedule != nil }.map(\.name)
    guard !scheduled.isEmpty else { return ok("No job has a schedule.") }
    if try context.readableStore()?.read({ try $0.isDemo() }) == true {
      return ok("This is a demo: nothing has to start its jobs.")
    }
    let installed = await InstalledSchedule(of: context.workspace.folder, on: context.machine)
    guard !installed.isEmpty else {
      return warn(
        "Nothing starts this workspace's jobs: no crontab or systemd unit found.",
        "Paste the lines of cron.example: `crontab -e`.")
        + (try faultsOfExample(scheduled, context))
    }
    var findings: [DoctorFinding] = []
    let missing = scheduled.filter { !installed.runs($0) }
    if !missing.isEmpty {
      findings += warn(
        "Nothing starts these scheduled jobs: \(missing.joined(separator: ", ")).",
        "Add their lines of cron.example, or the line with `run --due`.")
    }
    findings += installed.timers.filter { !$0.isActive }.flatMap { timer in
      let control = timer.isUser ? "systemctl --user" : "systemctl"
      return warn(
        "\(timer.unit) is not active.", "Start it: `\(control) enable --now \(timer.unit)`.",
        about: timer.unit)
    }
    let otherZone = try otherZone(scheduled, installed, context)
    findings += otherZone
    // Times that were adjusted for another time zone are not reported as different.
    if otherZone.isEmpty { findings += try otherTimes(installed, context) }
    return findings.isEmpty ? ok(Self.words(installed, scheduled.count)) : findings
  }

  private static func words(_ installed: InstalledSchedule, _ count: Int) -> String {
    let starters = [
      installed.crontabs.isEmpty ? nil : "cron", installed.services.isEmpty ? nil : "systemd",
    ].compactMap(\.self).joined(separator: " and ")
    return "Installed: \(starters), for "
      + (count == 1 ? "the scheduled job." : "all \(count) scheduled jobs.")
  }

  /// Returns a finding for each job that only crontabs start, at times other than its schedule's.
  private func otherTimes(
    _ installed: InstalledSchedule, _ context: DoctorContext
  ) throws -> [DoctorFinding] {
    guard !(installed.crontabs + installed.services).contains(where: \.runsWhatIsDue) else {
      return []
    }
    return try otherTimes(installed.crontabs, context) { job, found, own in
      warn(
        "cron starts \(job) at other times (\(found)) than its file says (\(own)).",
        "Make them equal: lateness is judged by the file.", about: job)
    }
  }

  /// Returns the faults in the lines of `cron.example`, which people paste.
  private func faultsOfExample(
    _ scheduled: [String], _ context: DoctorContext
  ) throws -> [DoctorFinding] {
    let name = "cron.example"
    guard let text = context.machine.text(context.workspace.folder.path(name)) else { return [] }
    let lines = ScheduleLines(ofExample: text)
    guard !lines.runsWhatIsDue else { return [] }
    let missing = scheduled.filter { !lines.runs($0) }
    let findings =
      missing.isEmpty
      ? []
      : warn(
        "\(name) has no line for these scheduled jobs: \(missing.joined(separator: ", ")).",
        "Add their lines, or paste the one with `run --due` instead of the others.")
    return try findings
      + otherTimes([lines], context) { job, found, own in
        warn(
          "\(name) starts \(job) at other times (\(found)) than its file says (\(own)).",
          "Make them equal before you paste its lines: lateness is judged by the file.",
          about: job)
      }
  }

  /// Returns a finding for each job that lines start, but never at its schedule's times.
  private func otherTimes(
    _ lines: [ScheduleLines], _ context: DoctorContext,
    _ finding: (_ job: String, _ found: String, _ own: String) -> [DoctorFinding]
  ) throws -> [DoctorFinding] {
    try context.listedJobs().jobs.flatMap { job -> [DoctorFinding] in
      let found = lines.flatMap { $0.schedules(of: job.name) }
      guard let schedule = job.schedule, !found.isEmpty,
        !found.contains(where: { $0.isSame(as: schedule) })
      else { return [] }
      return finding(job.name, found.map(\.fields).joined(separator: "; "), schedule.fields)
    }
  }

  /// Returns a finding when cron's time zone differs from that of the schedules.
  private func otherZone(
    _ scheduled: [String], _ installed: InstalledSchedule, _ context: DoctorContext
  ) throws -> [DoctorFinding] {
    let fixed = scheduled.filter { job in
      installed.crontabs.contains { $0.runsByItself(job) }
    }
    guard !fixed.isEmpty, case .success(let config) = context.workspace.config,
      let zone = context.machine.timeZone(config.timeZone)
    else { return [] }
    let now = context.clock.now
    let isSame = [now, now + .seconds(182 * 86_400)].allSatisfy { instant in
      zone.secondsFromGMT(for: instant.date)
        == context.machine.systemTimeZone.secondsFromGMT(for: instant.date)
    }
    guard !isSame else { return [] }
    return warn(
      "cron reads its times in \(context.machine.systemTimeZone.identifier), and schedules mean "
        + "\(config.timeZone).",
      "Give the machine that time zone, or use the line with `run --due`.")
  }
}

/// Checks whether the jobs ran when they were due; see `docs/doctor.md#schedule`.
struct RecentRunsCheck: DoctorCheck {
  static let name = "recent-runs"

  /// The size of a run in bytes: a page of the log and the file beside it.
  private static let roomOfARun = 65_536

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let now = context.clock.now
    let zone = try context.timeZone()
    let stored = try context.readableStore()?.read { reader in
      (
        starts: try MissedStarts(reader, of: context.workspace.folder, in: zone, at: now),
        future: try reader.futureRuns(at: now)
      )
    }
    return try (stored?.future.map { fail($0.sentence, FutureRuns.advice) } ?? [])
      + findings(of: stored?.starts, context)
  }

  /// Returns the findings about due starts; `starts` is nil when nothing has run.
  private func findings(
    of starts: MissedStarts?, _ context: DoctorContext
  ) throws -> [DoctorFinding] {
    let scheduled = try context.listedJobs().jobs.filter { $0.schedule != nil }
    guard !scheduled.isEmpty else { return ok("No job has a schedule.") }
    let newest = starts?.runs.values.map(\.startedAt).max()
    if let unrecorded = try unrecorded(after: newest, context) { return unrecorded }
    guard let starts, let newest else {
      return warn("No job has run yet.", "`firetally run --all` runs all of them once.")
    }
    let missed = try scheduled.compactMap { job in
      try starts.last(of: job, by: context.clock.now).map { (job: job.name, due: $0) }
    }
    guard let last = missed.max(by: { $0.due < $1.due }) else {
      return ok("The newest run began \(try context.words(newest)); no job is late.")
    }
    let due = try context.words(last.due)
    guard missed.count == scheduled.count else {
      let names = missed.map(\.job).joined(separator: ", ")
      return warn(
        "Not started when they were due: \(names); \(last.job) was due \(due).",
        "See `firetally runs \(last.job)`, and whether cron has a line for it.")
    }
    return warn(
      "No job has started when it was due: the newest run began \(try context.words(newest)), and "
        + "\(last.job) was due \(due).",
      "See whether cron is awake: `systemctl status cron`, and its log.")
  }

  /// Returns a finding when the disk, full or not writable, prevents the recording of runs, so that
  /// starts cannot be judged.
  private func unrecorded(
    after newest: Instant?, _ context: DoctorContext
  ) throws -> [DoctorFinding]? {
    if let at = UnrecordedRuns.note(of: context.workspace.folder)?.at,
      at.counts(at: context.clock.now),
      at > newest ?? Instant(unixSeconds: 0)
    {
      return warn(
        "Jobs were started and could not be recorded, last \(try context.words(at)): the disk was "
          + "full or could not be written.",
        "See the checks disk and output, then run `firetally run --due`.")
    }
    guard try context.disk().freeBytes < Self.roomOfARun else { return nil }
    return warn("The disk is full, so no run can be recorded.", "See the check disk.")
  }
}
