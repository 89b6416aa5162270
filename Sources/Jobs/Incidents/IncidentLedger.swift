package import Model
package import Store

/// Something to tell about an incident.
package struct IncidentNotice: Hashable, Sendable {
  /// As it was when it was judged.
  package let incident: JobIncident
  package let moment: JobIncident.Moment
  /// Whether a hook or `notify` has told it.
  package var isTold = false
  /// Whether only a hook has, which standard error does not know of.
  var isToldByHook = false
  /// Why `notify` or a hook could not tell it, as a sentence; nil when none failed.
  package var failure: String?

  /// Whether standard error has to tell it: `notify` has not, and it was not printed before.
  package var isForErrors: Bool { (!isTold || isToldByHook) && incident.tried != moment }
}

/// Remembers what is wrong and who was told, so that each incident is told once a day at most:
/// docs/incidents.md.
package struct IncidentLedger: Sendable {
  private let store: Store

  package init(_ store: Store) {
    self.store = store
  }

  /// Records what a run says about incidents.
  ///
  /// - Parameters:
  ///   - sighting: what it says.
  ///   - startedAt: when the run began.
  ///   - now: the present.
  ///   - triesAgain: whether incidents of its job that could not be told before are, too.
  /// - Returns: what there is to tell of the incidents that it changes, and of those.
  /// - Throws: `StoreError`.
  func note(
    _ sighting: IncidentRule.Sighting, startedAt: Instant, at now: Instant,
    triesAgain: Bool = true
  ) throws -> [IncidentNotice] {
    let before = try store.read { try $0.openIncidents(at: now) }
    let isPlain = IncidentRule.judge(sighting, among: before, at: startedAt).isEmpty
    let changed: [JobIncident] =
      try isPlain
      ? []
      : store.write { writer in
        try IncidentRule.judge(sighting, among: try writer.openIncidents(at: now), at: startedAt)
          .map(writer.save)
      }
    let untold = before.filter { old in
      triesAgain && old.tried != nil && old.jobs.contains(sighting.job)
        && !changed.contains { $0.id == old.id }
    }
    return Self.notices(changed + untold, at: now)
  }

  /// What is wrong with a workspace beside its runs.
  struct Survey {
    /// Each with the jobs that it is about.
    var troubles: [(trouble: JobTrouble, jobs: [String])] = []
    /// The kinds that were looked for.
    var kinds: Set<JobIncident.Kind>
    /// All jobs that there are; nil when nobody looked.
    var jobs: Set<String>?

    /// The incidents that it changes, and new ones.
    func changes(among incidents: [JobIncident], at now: Instant) -> [JobIncident] {
      let open = incidents.filter { !$0.isOver }
      let new = troubles.filter { trouble, _ in !open.contains { Self.isSame(trouble, $0) } }
      return open.compactMap { change(of: $0, at: now) }
        + new.map { trouble, jobs in
          JobIncident(
            trouble.kind, causes: trouble.causes, sentence: trouble.sentence, jobs: jobs,
            beganAt: now)
        }
    }

    private func change(of incident: JobIncident, at now: Instant) -> JobIncident? {
      var after = incident
      if let trouble = troubles.first(where: { Self.isSame($0.trouble, incident) })?.trouble {
        let isOther =
          JobTrouble.withoutNumbers(trouble.sentence)
          != JobTrouble.withoutNumbers(incident.sentence)
        if incident.kind == .configuration, isOther { after.isChanged = true }
        (after.sentence, after.seenAt) = (trouble.sentence, now)
      } else if let jobs, let left = IncidentRule.left(incident, jobs: jobs, at: now) {
        after = left
      } else if kinds.contains(incident.kind) {
        (after.endedAt, after.waiting) = (now, [])
      } else {
        return nil
      }
      return after
    }

    private static func isSame(_ trouble: JobTrouble, _ incident: JobIncident) -> Bool {
      trouble.kind == incident.kind && trouble.causes == incident.causes
    }
  }

  /// Makes the incidents that concern the whole workspace what they are now.
  ///
  /// - Returns: what there is to tell of any incident.
  /// - Throws: `StoreError`.
  func settle(_ survey: Survey, at now: Instant) throws -> [IncidentNotice] {
    let before = try store.read { try $0.openIncidents(at: now) }
    guard !survey.changes(among: before, at: now).isEmpty else {
      return Self.notices(before, at: now)
    }
    let after = try store.write { writer in
      for incident in survey.changes(among: try writer.openIncidents(at: now), at: now) {
        _ = try writer.save(incident)
      }
      return try writer.openIncidents(at: now)
    }
    return Self.notices(after, at: now)
  }

  /// Notes that a scheduler starts jobs now, and what that says about the time before; `settle`
  /// returns it with all else that there is to tell.
  ///
  /// Where the last start is later, because the clock was set back or another process started
  /// since, nothing is known and nothing changes.
  ///
  /// - Parameters:
  ///   - unrecorded: when runs could last not be recorded, and whether that was told; nil without.
  ///   - now: the present.
  ///   - due: the first start that was due after an instant, up to and including another.
  /// - Throws: `StoreError`.
  func tick(
    unrecorded: UnrecordedRuns.Note?, at now: Instant,
    due: (_ start: Instant, _ end: Instant) -> Instant?
  ) throws {
    try store.write { writer in
      let last = try writer.lastTick()
      guard last.map({ $0 < now }) ?? true else { return }
      try writer.setLastTick(now)
      func add(
        _ kind: JobIncident.Kind, _ sentence: String, from start: Instant,
        told: JobIncident.Message? = nil
      ) throws {
        var incident = JobIncident(kind, cause: kind.rawValue, sentence: sentence, beganAt: start)
        (incident.seenAt, incident.endedAt, incident.told) = (now, now, told)
        _ = try writer.save(incident)
      }
      let missed = unrecorded.flatMap { note in
        note.at.counts(at: now) && last.map { note.at > $0 } ?? true ? note : nil
      }
      if let missed {
        try add(
          .disk, "Runs could not be recorded.", from: last ?? missed.at,
          told: missed.toldAt.map { JobIncident.Message(.began, at: $0) })
      }
      if let start = [last, missed?.at].compactMap(\.self).max(),
        let missedStart = due(start, now - IncidentRule.shortestGap)
      {
        try add(.gap, "No job was started.", from: missedStart)
      }
    }
  }

  /// Takes on to tell what there is to tell of an incident, so that no other process does:
  /// docs/incidents.md#delivery.
  ///
  /// - Returns: what there is to tell by now; nil when another process has told it, or is at it.
  /// - Throws: `StoreError`.
  func claim(_ notice: IncidentNotice, at now: Instant) throws -> IncidentNotice? {
    try store.write { writer in
      guard
        var incident = try writer.openIncidents(at: now)
          .first(where: { $0.id == notice.incident.id }),
        let moment = IncidentRule.message(about: incident, at: now),
        IncidentRule.isUnclaimed(incident, at: now)
      else { return nil }
      incident.claimedAt = now
      return IncidentNotice(
        incident: try writer.save(incident), moment: moment, failure: notice.failure)
    }
  }

  /// Remembers what was told, or printed because it could not be.
  package func remember(_ notices: [IncidentNotice], at now: Instant) throws {
    guard !notices.isEmpty else { return }
    try store.write { writer in
      let open = try writer.openIncidents(at: now)
      for notice in notices {
        guard var incident = open.first(where: { $0.id == notice.incident.id }) else { continue }
        if notice.failure != nil, !notice.isTold {
          incident.tried = notice.moment
        } else {
          incident.tried = nil
          incident.told = JobIncident.Message(notice.moment, at: now)
          incident.isChanged = false
          incident.claimedAt = nil
        }
        _ = try writer.save(incident)
      }
    }
  }

  private static func notices(_ incidents: [JobIncident], at now: Instant) -> [IncidentNotice] {
    incidents.compactMap { incident in
      IncidentRule.message(about: incident, at: now).map {
        IncidentNotice(incident: incident, moment: $0)
      }
    }
  }
}
