import Foundation
package import Model
import Reports
import Store
package import Workspace

/// A due message about an incident.
package struct IncidentNotice: Hashable, Sendable {
  /// The recipient of the message; for a failure the reason, as a sentence.
  package enum Delivery: Hashable, Sendable {
    case none
    /// A hook, which does not reach readers of standard error.
    case hook
    case hookFailed(String)
    /// The target of `notify`.
    case notify
    case notifyFailed(String)
  }

  /// The incident at the time when the message became due.
  package let incident: JobIncident
  package let moment: JobIncident.Moment
  package var delivery = Delivery.none

  /// Whether a hook or `notify` has delivered the message.
  package var isDelivered: Bool { delivery == .hook || delivery == .notify }

  /// The reason why `notify` or a hook failed, as a sentence; nil when none failed.
  package var failure: String? {
    switch delivery {
    case .hookFailed(let reason), .notifyFailed(let reason): reason
    case .none, .hook, .notify: nil
    }
  }

  /// Whether the message goes to standard error: `notify` has not sent it, and it is not yet
  /// printed.
  package var isForErrors: Bool { delivery != .notify && incident.tried != moment }

  /// Whether the message reports the end of a problem; a gap is an exception, as it is only
  /// reported once it is over.
  var isGood: Bool { moment == .ended && incident.kind != .gap }

  /// Whether `--quiet` leaves the message out: ends of incidents, and partial runs.
  package var isMinor: Bool { isGood || incident.kind == .partial }
}

/// The record of incidents and their deliveries, which limits each incident to one message a day:
/// docs/incidents.md.
struct IncidentLedger: Sendable {
  private let store: Store

  init(_ store: Store) {
    self.store = store
  }

  /// Records the incidents that a run reports.
  ///
  /// - Returns: the due messages: about incidents that the run changes, and about failures of its
  ///   job.
  func record(
    _ observation: IncidentRule.RunObservation, startedAt: Instant, at now: Instant
  ) throws -> [IncidentNotice] {
    let before = try store.read { try $0.openIncidents(at: now) }
    let isPlain = IncidentRule.judge(observation, among: before, at: startedAt).isEmpty
    let changed: [JobIncident] =
      try isPlain
      ? []
      : store.write { writer in
        try IncidentRule.judge(observation, among: try writer.openIncidents(at: now), at: startedAt)
          .map(writer.save)
      }
    let others = before.filter { old in
      old.kind.isFailure && old.jobs.contains(observation.job)
        && !changed.contains { $0.id == old.id }
    }
    return try notices(changed + others, at: now)
  }

  /// Updates the incidents that concern the whole workspace.
  ///
  /// - Returns: the due messages about any incident.
  func apply(_ check: WorkspaceCheck, at now: Instant) throws -> [IncidentNotice] {
    let before = try store.read { try $0.openIncidents(at: now) }
    guard !check.changes(among: before, at: now).isEmpty else {
      return try notices(before, at: now)
    }
    let after = try store.write { writer in
      for incident in check.changes(among: try writer.openIncidents(at: now), at: now) {
        _ = try writer.save(incident)
      }
      return try writer.openIncidents(at: now)
    }
    return try notices(after, at: now)
  }

  /// Records a start by the scheduler, and the gaps and unrecorded runs since the previous one.
  ///
  /// `apply` returns their messages with all other due ones. Nothing changes when the previous
  /// start is later than `now`, because the clock was set back or another process has started
  /// since.
  ///
  /// `missed` returns the first start that was due after `start`, up to and including `end`, among
  /// the jobs that had made their last due start by `inStep`.
  ///
  /// - Returns: a warning about unreadable silences, which are dropped; nil when all could be read.
  func recordStart(
    unrecorded: UnrecordedRuns.Note?, at now: Instant,
    missed: (_ reader: Writer, _ inStep: Instant, _ start: Instant, _ end: Instant) throws ->
      Instant?
  ) throws -> String? {
    try store.write { writer in
      let last = try writer.lastTick()
      guard last.map({ $0 < now }) ?? true else { return nil }
      try writer.setLastTick(now)
      func add(
        _ kind: JobIncident.Kind, _ sentence: String, from start: Instant, to end: Instant,
        told: JobIncident.Message? = nil
      ) throws {
        var incident = JobIncident(
          kind, causes: [kind.rawValue], sentence: sentence, beganAt: start)
        (incident.seenAt, incident.endedAt, incident.lastMessage) = (end, end, told)
        _ = try writer.save(incident)
      }
      let unrecorded = unrecorded.flatMap { note in
        note.at.counts(at: now) && last.map { note.at > $0 } ?? true ? note : nil
      }
      // The scheduler was working while firetally.yml was wrong or the disk was full.
      let (silences, warning) = try Self.silences(writer)
      try writer.setSilences([])
      var met = try Self.stoppedStarts(silences, writer, since: last ?? now, at: now)
      if let unrecorded { met.append((last ?? unrecorded.at, unrecorded.at)) }
      if let known = last ?? unrecorded?.at {
        // A run by hand is a start, too.
        if now - known >= IncidentRule.shortestGap {
          met += try writer.runs(from: known, to: now).map { ($0.startedAt, $0.startedAt) }
        }
        var start = known
        for (first, last) in met.sorted(by: { $0.first < $1.first }) + [(now, now)] {
          if let due = try missed(writer, known, start, first - IncidentRule.shortestGap) {
            try add(.gap, "No job was started.", from: due, to: first)
          }
          start = max(start, last)
        }
      }
      if let unrecorded {
        try add(
          .disk, "Runs could not be recorded.", from: last ?? unrecorded.at, to: now,
          told: unrecorded.toldAt.map { JobIncident.Message(.began, at: $0) })
      }
      return warning
    }
  }

  /// Returns the silences, or none and a warning when they cannot be read.
  private static func silences(
    _ reader: some Readable
  ) throws -> (known: [Silence], warning: String?) {
    do {
      return (try reader.silences(), nil)
    } catch is DecodingError {
      return (
        [],
        "Forgot the times without a start while \(WorkspaceConfig.fileName) was wrong, because "
          + "`silences` of the table marks could not be read: a gap among them is not reported."
      )
    }
  }

  /// Returns the times between silences in which a wrong `firetally.yml` stopped starts.
  ///
  /// Each has the first and the last stopped start.
  private static func stoppedStarts(
    _ silences: [Silence], _ reader: some Readable, since last: Instant, at now: Instant
  ) throws -> [(first: Instant, last: Instant)] {
    try reader.openIncidents(at: now)
      .filter { $0.kind == .configuration && $0.seenAt > last }
      .flatMap { incident -> [(first: Instant, last: Instant)] in
        let parts = silences.filter { incident.beganAt <= $0.start && $0.end <= incident.seenAt }
        return zip([incident.beganAt] + parts.map(\.end), parts.map(\.start) + [incident.seenAt])
          .map { (first: $0, last: $1) }
      }
  }

  /// Records a silence before a start that a wrong `firetally.yml` stops; call it before `apply`.
  ///
  /// The next `recordStart`, which knows the schedules, decides whether starts were missed in it.
  func recordStoppedStart(at now: Instant) throws {
    try store.write { writer in
      let open = try writer.openIncidents(at: now)
      guard let seenAt = open.first(where: { $0.kind == .configuration && !$0.isOver })?.seenAt
      else { return }
      let (silences, warning) = try Self.silences(writer)
      // The next `recordStart` drops them and warns.
      guard warning == nil else { return }
      // A start at the same time, or one that died before `apply`, has already recorded it.
      let last = max(seenAt, silences.last?.end ?? seenAt)
      guard now - last >= IncidentRule.shortestGap else { return }
      try writer.setSilences(silences + [Silence(start: last, end: now)])
    }
  }

  /// Claims a message, so that no other process sends it: docs/incidents.md#delivery.
  ///
  /// - Returns: the message that is due now; nil when another process has sent or claimed it.
  func claim(
    _ notice: IncidentNotice, at now: Instant, for time: Duration = IncidentRule.claim
  ) throws -> IncidentNotice? {
    try store.write { writer in
      guard
        var incident = try writer.openIncidents(at: now)
          .first(where: { $0.id == notice.incident.id }),
        let moment = IncidentRule.message(about: incident, at: now),
        IncidentRule.isUnclaimed(incident, at: now, for: time)
      else { return nil }
      incident.claimedAt = now
      return IncidentNotice(incident: try writer.save(incident), moment: moment)
    }
  }

  /// Records the messages that were delivered, or were printed instead.
  func recordDeliveries(_ notices: [IncidentNotice], at now: Instant) throws {
    guard !notices.isEmpty else { return }
    try store.write { writer in
      let open = try writer.openIncidents(at: now)
      for notice in notices {
        guard var incident = open.first(where: { $0.id == notice.incident.id }) else { continue }
        switch notice.delivery {
        case .notifyFailed: incident.tried = notice.moment
        case .hookFailed: (incident.tried, incident.claimedAt) = (notice.moment, nil)
        case .none, .hook, .notify:
          (incident.tried, incident.claimedAt) = (nil, nil)
          incident.lastMessage = JobIncident.Message(notice.moment, at: now)
          // A cause that was added meanwhile is in the next message.
          if incident.causes == notice.incident.causes { incident.isChanged = false }
        }
        _ = try writer.save(incident)
      }
    }
  }

  /// Returns the due messages, except those about acknowledged incidents.
  private func notices(_ incidents: [JobIncident], at now: Instant) throws -> [IncidentNotice] {
    let due = incidents.compactMap { incident in
      IncidentRule.message(about: incident, at: now).map {
        IncidentNotice(incident: incident, moment: $0)
      }
    }
    guard !due.isEmpty else { return [] }
    let acknowledged = try store.read { try $0.acknowledgements() }
    return due.filter { notice in
      let ids = notice.incident.acknowledgedBy
      return !acknowledged.contains {
        $0.quiets(notice.moment, of: notice.incident, known: ids, at: now)
      }
    }
  }
}

extension JobIncident {
  /// The ids whose acknowledgement covers it: its own, and those of findings about it.
  package var acknowledgedBy: Set<String> {
    var ids = Set(jobs.map { JobHealth.findingId(ofJob: $0) })
    if let id { ids.insert(Acknowledgement.idOfIncident(id)) }
    switch kind {
    case .late: ids.insert(LateJobs.findingId)
    case .clock: ids.insert(FutureRuns.findingId)
    default: break
    }
    return ids
  }
}

/// Finds incidents that no run records, such as missed starts: docs/incidents.md#kinds.
struct WorkspaceIncidents {
  private let context: JobContext
  private let ledger: IncidentLedger

  init(_ context: JobContext) {
    self.context = context
    ledger = IncidentLedger(context.store)
  }

  /// Records missed starts, and that `firetally.yml` is valid; call it before a command's jobs.
  ///
  /// `end` returns the messages. A busy database is no error: the next start records them.
  ///
  /// - Returns: a warning about data that was dropped; nil when all could be read.
  /// - Throws: `StoreError`, except `.busy`.
  func begin() throws -> String? {
    do {
      var warning: String?
      if context.options.isScheduled {
        warning = try ledger.recordStart(
          unrecorded: UnrecordedRuns.note(of: context.workspace), at: context.now
        ) { reader, inStep, start, end in
          guard start < end else { return nil }
          return try missedStarts(reader).first(
            of: context.catalog.jobs, inStepAt: inStep, after: start, through: end)
        }
      }
      _ = try ledger.apply(WorkspaceCheck(kinds: [.configuration]), at: context.now)
      return warning
    } catch StoreError.busy {
      return nil
    }
  }

  /// Records late or removed jobs and runs dated in the future; call it after a command's jobs.
  ///
  /// - Returns: the due messages.
  func end() throws -> [IncidentNotice] {
    let now = context.clock.now
    let jobs = context.catalog.jobs.map(\.name) + context.catalog.broken.map(\.name)
    var check = WorkspaceCheck(kinds: [.clock], jobs: Set(jobs))
    let (starts, future) = try context.store.read {
      (try missedStarts($0), try $0.futureRuns(at: now))
    }
    if let future {
      check.troubles.append(
        (JobTrouble(.clock, cause: "clock", "\(future.sentence) \(FutureRuns.advice)"), []))
    } else if context.options.isScheduled {
      // The missing run of a job may be one that is dated in the future.
      check.troubles += try late(starts)
      check.lastStarts = starts.runs.mapValues(\.startedAt)
      check.unscheduled = Set(context.catalog.jobs.filter { $0.schedule == nil }.map(\.name))
    }
    return try ledger.apply(check, at: now)
  }

  /// Returns the late jobs: those that ran before, and missed their last start while the machine
  /// ran.
  private func late(_ starts: MissedStarts) throws -> [(trouble: JobTrouble, jobs: [String])] {
    try context.catalog.jobs.compactMap { job in
      // A job that became due while this command ran may have waited for the lock.
      guard let last = starts.runs[job.name]?.startedAt,
        let due = try starts.last(of: job, by: context.now)
      else { return nil }
      let sentence =
        "It was due at \(due.iso8601) and was not started; it last ran at "
        + "\(last.iso8601). \(LateJobs.advice)"
      return (JobTrouble(.late, cause: job.name, sentence), [job.name])
    }
  }

  private func missedStarts(_ reader: some Readable) throws -> MissedStarts {
    try MissedStarts(
      reader, of: context.workspace, in: TimeZone(checked: context.config.timeZone),
      at: context.clock.now)
  }
}

/// A wrong `firetally.yml`, which stops every job.
package enum ConfigurationIncident {
  /// Records the incident, and returns whether it is due for a message, which counts as sent.
  ///
  /// When it cannot be recorded, it is due once a day, as long as the note of unrecorded runs can
  /// be written.
  package static func isNews(
    _ error: WorkspaceError, in workspace: Workspace, at now: Instant
  ) -> Bool {
    do {
      let ledger = IncidentLedger(try workspace.openStore(at: now, note: { _ in }))
      let trouble = JobTrouble(
        .configuration, cause: WorkspaceConfig.fileName, String(describing: error))
      let check = WorkspaceCheck(troubles: [(trouble, [])], kinds: [.configuration])
      try ledger.recordStoppedStart(at: now)
      let notices = try ledger.apply(check, at: now)
        .filter { $0.incident.kind == .configuration }.compactMap { try ledger.claim($0, at: now) }
      try ledger.recordDeliveries(notices, at: now)
      return !notices.isEmpty
    } catch let problem where UnrecordedRuns.areCaused(by: problem) {
      let before = UnrecordedRuns.note(of: workspace)
      let isNews = UnrecordedRuns.isNews(before, after: nil, at: now)
      UnrecordedRuns.leaveNote(
        in: workspace, at: now, toldAt: isNews ? now : before?.toldAt ?? now)
      return isNews
    } catch {
      return true
    }
  }
}
