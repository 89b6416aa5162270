/// What is wrong with a workspace beside its runs, as one look at it finds: docs/incidents.md#kinds.
package struct IncidentSurvey: Sendable {
  /// Each with the jobs that it is about.
  package var troubles: [(trouble: JobTrouble, jobs: [String])]
  /// The kinds that were looked for, whose incidents end without trouble.
  package var kinds: Set<JobIncident.Kind>
  /// All jobs that there are; nil when nobody looked.
  package var jobs: Set<String>?
  /// When each job last began to run, which ends its being late; empty when nobody looked.
  package var lastStarts: [String: Instant] = [:]
  /// Jobs of which no start is expected; empty when nobody looked.
  package var unscheduled: Set<String> = []

  package init(
    troubles: [(trouble: JobTrouble, jobs: [String])] = [], kinds: Set<JobIncident.Kind>,
    jobs: Set<String>? = nil
  ) {
    self.troubles = troubles
    self.kinds = kinds
    self.jobs = jobs
  }

  /// The incidents that it changes, as they are after it, and new ones.
  package func changes(among incidents: [JobIncident], at now: Instant) -> [JobIncident] {
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
      return after
    }
    if let jobs, let left = IncidentRule.left(incident, jobs: jobs, at: now) { return left }
    if incident.kind == .late, let job = incident.jobs.first {
      // No trouble is no start: the machine may have slept, or the file was edited.
      let isStarted = lastStarts[job].map { $0 >= incident.beganAt } ?? false
      guard isStarted || unscheduled.contains(job) else { return nil }
      if !isStarted { after.causes = [] }
    } else if !kinds.contains(incident.kind) {
      return nil
    }
    (after.endedAt, after.waiting) = (now, [])
    return after
  }

  private static func isSame(_ trouble: JobTrouble, _ incident: JobIncident) -> Bool {
    trouble.kind == incident.kind && trouble.causes == incident.causes
  }
}

extension IncidentRule {
  /// What becomes of an incident when jobs are removed or renamed; nil for nothing.
  ///
  /// Where no job is left that could end it, it ends: docs/incidents.md#kinds.
  package static func left(
    _ incident: JobIncident, jobs: Set<String>, at now: Instant
  ) -> JobIncident? {
    let waiting = incident.waiting.filter(jobs.contains)
    guard !incident.isOver, waiting.count < incident.waiting.count else { return nil }
    var after = incident
    if waiting.isEmpty {
      after.endedAt = now
    } else {
      after.waiting = waiting
      after.jobs = incident.jobs.filter(jobs.contains)
    }
    return after
  }
}
