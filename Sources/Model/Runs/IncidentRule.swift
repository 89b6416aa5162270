/// When a failure is an incident, and when it gives a message: docs/incidents.md#rules.
package enum IncidentRule {
  /// After this time without a message, a lasting incident gives another one: a day, less the
  /// minute by which a start of cron may be earlier than the day before's.
  package static let repetition = Duration.seconds(86_400 - 60)
  /// Trouble that comes back so soon after its end, inclusive, is the same incident.
  package static let memory = Duration.seconds(86_400)
  /// The least time between the messages of an incident that comes and goes.
  package static let quiet = Duration.seconds(3_600)
  /// The most reasons that an incident remembers; an older one counts as new again.
  package static let mostReasons = 20
  /// After this time, an end whose message could not be sent gives none.
  package static let longestUntold = Duration.seconds(7 * 86_400)
  /// After this time without a run that met it, a server's incident ends when its last job has
  /// nothing to ask: before the next message.
  package static let longestUnmet = repetition
  /// How long a process that claimed a message has for it alone, at least; then it is sent again.
  package static let claim = Duration.seconds(900)
  /// The shortest time without a start that gives a message.
  package static let shortestGap = Duration.seconds(3_600)

  /// What one run says about incidents.
  package struct RunObservation: Hashable, Sendable {
    package var job: String
    package var troubles: [JobTrouble]
    /// The kinds that the run would have met if they still touched the job.
    package var cleared: Set<JobIncident.Kind>
    /// Causes of these kinds that it could not have met.
    package var unknown: Set<String>
    /// Whether the work was done, so that the servers of the job answer, and do so for all jobs.
    package var isAnswered: Bool
    /// When the run's command took the workspace's lock; nil for a run without it.
    package var lockedAt: Instant?

    package init(
      job: String, troubles: [JobTrouble] = [], cleared: Set<JobIncident.Kind> = [],
      unknown: Set<String> = [], isAnswered: Bool = false, lockedAt: Instant? = nil
    ) {
      self.job = job
      self.troubles = troubles
      self.cleared = cleared
      self.unknown = unknown
      self.isAnswered = isAnswered
      self.lockedAt = lockedAt
    }

    /// What the end of a run says.
    ///
    /// There is no trouble when it did all, or when another job is the reason. `lockedAt` is when
    /// its command took the lock; nil for a run that needs none.
    package init(
      of job: String, _ outcome: Run.Outcome, trouble: JobTrouble?, lockedAt: Instant?
    ) {
      let failures = Set(JobIncident.Kind.allCases.filter(\.isFailure))
      let cleared: Set<JobIncident.Kind> =
        switch outcome {
        case .ok: failures.union([.partial])
        // Nothing was done, so nothing could be left out.
        case .fresh, .partial: failures
        case .failed, .blocked: trouble == nil ? [] : failures
        // Whoever interrupted it knows; and the lock says nothing about the job.
        case .interrupted, .locked: []
        }
      let isTrouble = outcome != .interrupted && trouble != nil
      self.init(
        job: job, troubles: isTrouble ? [trouble].compactMap(\.self) : [], cleared: cleared,
        isAnswered: outcome == .ok || outcome == .partial,
        lockedAt: outcome == .locked || outcome == .blocked ? nil : lockedAt)
    }
  }

  /// The incidents that a run changes, as they are after it; empty when nothing changes.
  ///
  /// Given are those that last, and those that ended within `memory`. `now` is when the run began.
  package static func judge(
    _ observation: RunObservation, among incidents: [JobIncident], at now: Instant
  ) -> [JobIncident] {
    var changed: [JobIncident] = []
    for incident in incidents where !incident.isOver {
      let isMet = observation.troubles.contains { isSame($0, as: incident, for: observation.job) }
      if let after = cleared(incident, by: observation, isMet: isMet, at: now) {
        changed.append(after)
      }
    }
    for trouble in observation.troubles {
      let known = incidents.first { !$0.isOver && isSame(trouble, as: $0, for: observation.job) }
      let past = incidents.first { isReturn(trouble, of: $0, for: observation.job, at: now) }
      changed.append(met(trouble, in: known ?? past, by: observation.job, at: now))
    }
    return changed
  }

  /// The message about an incident that is due now; nil for none.
  package static func message(about incident: JobIncident, at now: Instant) -> JobIncident.Moment? {
    if incident.isOver, incident.lastMessage?.moment == .ended { return nil }
    guard let told = incident.lastMessage, told.at.counts(at: now) else {
      return incident.isOver ? .ended : .began
    }
    let age = now - told.at
    let isQuiet = incident.returns > 0 && age < quiet
    guard !incident.isOver else { return isQuiet ? nil : .ended }
    if told.moment == .ended { return isQuiet ? nil : .again }
    // Whoever edits a file waits for what is wrong with it now.
    let isEdited = incident.kind == .file || incident.kind == .configuration
    if incident.isChanged, isEdited || told.moment != .changed || age >= quiet { return .changed }
    return age >= repetition ? .lasts : nil
  }

  /// Whether no process has claimed the message about an incident, or the claim is so old that its
  /// process must have died.
  ///
  /// A time shorter than `claim` counts as that.
  package static func isUnclaimed(
    _ incident: JobIncident, at now: Instant, for time: Duration = claim
  ) -> Bool {
    guard let claimedAt = incident.claimedAt, claimedAt.counts(at: now) else { return true }
    return now - claimedAt >= max(claim, time)
  }

  /// An incident that a run is rid of; nil when it is as before, or met.
  private static func cleared(
    _ incident: JobIncident, by observation: RunObservation, isMet: Bool, at now: Instant
  ) -> JobIncident? {
    var after = incident
    let isReplaced = observation.troubles.contains(where: \.kind.isFailure)
    // A run that had nothing to ask says nothing about a server.
    let isUnasked = incident.kind == .server && !observation.isAnswered && !isReplaced
    if isUnasked, incident.seenAt.counts(at: now), now - incident.seenAt < longestUnmet {
      return nil
    }
    if incident.kind == .lock, let lockedAt = observation.lockedAt,
      lockedAt >= incident.seenAt || !incident.seenAt.counts(at: now)
    {
      // The others wait for the process that had the lock before.
      after.waiting = []
    } else if !isMet, observation.cleared.contains(incident.kind),
      observation.unknown.isDisjoint(with: incident.causes),
      incident.waiting.contains(observation.job)
    {
      let isForAll = incident.kind == .server && observation.isAnswered
      after.waiting = isForAll ? [] : incident.waiting.filter { $0 != observation.job }
    } else {
      return nil
    }
    guard after.waiting.isEmpty else { return after }
    after.endedAt = now
    // Nothing says that it is over. Another failure that took its place gives the message instead.
    if isUnasked || incident.kind.isFailure && isReplaced {
      after.lastMessage = JobIncident.Message(.ended, at: now)
      (after.tried, after.claimedAt) = (nil, nil)
    }
    return after
  }

  private static func met(
    _ trouble: JobTrouble, in incident: JobIncident?, by job: String, at now: Instant
  ) -> JobIncident {
    guard var incident else {
      return JobIncident(
        trouble.kind, causes: trouble.causes, sentence: trouble.sentence, jobs: [job],
        beganAt: now, runs: 1)
    }
    if incident.isOver {
      incident.endedAt = nil
      incident.returns += 1
      incident.waiting = []
    }
    let added = trouble.causes.filter { !incident.causes.contains($0) }
    if !added.isEmpty {
      let others = incident.causes.filter { !trouble.causes.contains($0) }
      incident.causes = (others + trouble.causes).suffix(mostReasons)
      incident.isChanged = [.failure, .file, .partial].contains(trouble.kind)
    }
    if trouble.kind == .file, trouble.sentence != incident.sentence { incident.isChanged = true }
    incident.jobs = Set(incident.jobs + [job]).sorted()
    incident.waiting = Set(incident.waiting + [job]).sorted()
    incident.sentence = trouble.sentence
    incident.seenAt = now
    incident.runs += 1
    return incident
  }

  /// One cause is one incident; a job that fails otherwise than before is in one still.
  private static func isSame(
    _ trouble: JobTrouble, as incident: JobIncident, for job: String
  ) -> Bool {
    guard trouble.kind == incident.kind else { return false }
    switch trouble.kind {
    case .file, .partial: return incident.waiting.contains(job)
    case .failure: return hasCause(of: trouble, incident) || incident.waiting.contains(job)
    default: return hasCause(of: trouble, incident)
    }
  }

  private static func hasCause(of trouble: JobTrouble, _ incident: JobIncident) -> Bool {
    trouble.causes.contains(where: incident.causes.contains)
  }

  private static func isReturn(
    _ trouble: JobTrouble, of incident: JobIncident, for job: String, at now: Instant
  ) -> Bool {
    guard let endedAt = incident.endedAt, trouble.kind == incident.kind else { return false }
    return hasCause(of: trouble, incident) && now - endedAt <= memory
      && (![.failure, .file, .partial].contains(trouble.kind) || incident.jobs.contains(job))
  }
}

/// What one look at a workspace found wrong, apart from failed runs: docs/incidents.md#kinds.
package struct WorkspaceCheck: Sendable {
  /// Each with the jobs that it is about.
  package var troubles: [(trouble: JobTrouble, jobs: [String])]
  /// The kinds that were looked for, whose incidents end without trouble.
  package var kinds: Set<JobIncident.Kind>
  /// All jobs of the workspace; nil when not looked for.
  package var jobs: Set<String>?
  /// When each job last started, which ends its lateness; empty when not looked for.
  package var lastStarts: [String: Instant] = [:]
  /// Jobs without a schedule; empty when not looked for.
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
      if incident.kind == .configuration, trouble.sentence != incident.sentence {
        after.isChanged = true
      }
      (after.sentence, after.seenAt) = (trouble.sentence, now)
      return after
    }
    if let jobs, let left = IncidentRule.left(incident, jobs: jobs, at: now) { return left }
    if incident.kind == .late, let job = incident.jobs.first {
      // No trouble is no start: the machine may have slept, or the file was edited.
      let isStarted = lastStarts[job].map { $0 >= incident.beganAt } ?? false
      guard isStarted || unscheduled.contains(job) else { return nil }
      if !isStarted { after.unschedule() }
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

/// Whether a job was started when its schedule asked for it.
package enum StartRule {
  /// Whether nothing has made a start that was due; a run that began at that very instant has.
  ///
  /// No start was expected up to and including `expectedSince`, because the machine slept or the
  /// schedule was another one; nil when they always were.
  package static func isMissed(
    due: Instant, lastStartedAt: Instant?, expectedSince: Instant? = nil
  ) -> Bool {
    (expectedSince.map { due > $0 } ?? true) && (lastStartedAt.map { $0 < due } ?? true)
  }

  /// Returns how many of the due starts were made; a run makes the last start that was due when it
  /// began, and several runs make it once.
  ///
  /// Both in ascending order.
  package static func made(dues: [Instant], startedAt: [Instant]) -> DueStarts {
    var made = 0
    var next = 0
    for started in startedAt {
      let before = next
      while next < dues.count, dues[next] <= started { next += 1 }
      if next > before { made += 1 }
    }
    return DueStarts(made: made, due: dues.count)
  }
}

/// The starts of a job that its schedule asked for.
package struct DueStarts: Hashable, Sendable {
  /// Those that were made, at most `due`.
  package var made: Int
  package var due: Int

  package init(made: Int, due: Int) {
    self.made = made
    self.due = due
  }
}
