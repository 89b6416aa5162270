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

  /// Makes the kinds of incidents that concern the whole workspace what they are now.
  ///
  /// - Parameters:
  ///   - troubles: all that there are of these kinds, each with the jobs that it is about.
  ///   - kinds: those that were looked for.
  ///   - now: the present.
  /// - Returns: what there is to tell of any incident.
  /// - Throws: `StoreError`.
  func settle(
    _ troubles: [(trouble: JobTrouble, jobs: [String])], of kinds: Set<JobIncident.Kind>,
    at now: Instant
  ) throws -> [IncidentNotice] {
    let before = try store.read { try $0.openIncidents(at: now) }
    let over = before.filter { incident in
      kinds.contains(incident.kind) && !incident.isOver
        && !troubles.contains {
          $0.trouble.kind == incident.kind
            && incident.causes == $0.trouble.causes
        }
    }
    let new = troubles.filter { trouble, _ in
      !before.contains {
        !$0.isOver && $0.kind == trouble.kind && $0.causes == trouble.causes
      }
    }
    guard !over.isEmpty || !new.isEmpty else { return Self.notices(before, at: now) }
    return Self.notices(
      try store.write { writer in
        for var incident in over {
          (incident.endedAt, incident.waiting) = (now, [])
          _ = try writer.save(incident)
        }
        for (trouble, jobs) in new {
          _ = try writer.save(
            JobIncident(
              trouble.kind, cause: trouble.causes[0], sentence: trouble.sentence, jobs: jobs,
              beganAt: now))
        }
        return try writer.openIncidents(at: now)
      }, at: now)
  }

  /// Notes that a scheduler starts jobs now, and what that says about the time before.
  ///
  /// - Parameters:
  ///   - interval: between two starts of the job that is due most often; nil without a schedule.
  ///   - unrecorded: when runs could last not be recorded, and whether that was told; nil without.
  ///   - now: the present.
  /// - Returns: what there is to tell of the time before.
  /// - Throws: `StoreError`.
  func tick(
    interval: Duration?, unrecorded: UnrecordedRuns.Note?, at now: Instant
  ) throws -> [IncidentNotice] {
    let past = try store.write { writer -> [JobIncident] in
      try writer.removeFutureIncidents(at: now)
      let last = try writer.lastTick().flatMap { $0.counts(at: now) ? $0 : nil }
      try writer.setMetadata(String(now.microseconds), named: tickName)
      var past: [JobIncident] = []
      func add(_ kind: JobIncident.Kind, _ sentence: String, from start: Instant, to end: Instant) {
        var incident = JobIncident(kind, cause: kind.rawValue, sentence: sentence, beganAt: start)
        (incident.seenAt, incident.endedAt) = (end, end)
        past.append(incident)
      }
      let missed = unrecorded.flatMap { note in
        note.at.counts(at: now) && last.map { note.at > $0 } ?? true ? note : nil
      }
      if let missed {
        add(.disk, "Runs could not be recorded.", from: last ?? missed.at, to: now)
        past[0].told = missed.toldAt.map { JobIncident.Message(.began, at: $0) }
      }
      if let start = [last, missed?.at].compactMap(\.self).max(),
        IncidentRule.isGap(now - start, interval: interval)
      {
        add(.gap, "No job was started.", from: start, to: now)
      }
      return try past.map(writer.save)
    }
    return Self.notices(past, at: now)
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

/// The metadata that says when a scheduler last started a job, in microseconds.
private let tickName = "last-scheduled-start"

extension Readable {
  /// When a scheduler last started a job; nil when none did.
  package func lastTick() throws -> Instant? {
    try metadata(named: tickName).flatMap { Int64($0) }
      .map(Instant.init(microseconds:))
  }
}
