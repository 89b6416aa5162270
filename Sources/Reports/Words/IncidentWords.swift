package import Model

/// The name of an incident, and the sentences about it: docs/incidents.md#messages.
package struct IncidentWords: Sendable {
  private let incident: JobIncident
  private let moment: JobIncident.Moment

  package init(_ incident: JobIncident, _ moment: JobIncident.Moment) {
    self.incident = incident
    self.moment = moment
  }

  /// What a table calls it.
  package static func name(of incident: JobIncident) -> String {
    IncidentWords(incident, .began).beginning
  }

  /// The subject of a message, without a full stop.
  package var headline: String {
    switch moment {
    case .ended: ending
    case .lasts: "\(beginning), for \(length) now"
    case .again: "\(beginning) again"
    case .began, .changed: beginning
    }
  }

  /// The line of a log; the writer puts the job in front.
  package var line: String {
    let since = incident.beganAt.iso8601
    let runs = NumberWords.counted(incident.runs, "run")
    switch (incident.kind, moment) {
    case (_, .ended) where incident.isOfGoneJobs:
      return isOneGone
        ? "The job \(gone) was removed or renamed; what was wrong with it since \(since) is over."
        : "The jobs \(gone) were removed or renamed; what was wrong with them since "
          + "\(since) is over."
    case (.gap, _):
      return
        "No job was started from \(since) to \((incident.endedAt ?? incident.seenAt).iso8601), "
        + "\(length): the machine was off or asleep, or nothing started jobs. They run again."
    case (.disk, .ended): return "Runs are recorded again. They could not be since \(since)."
    case (let kind, .ended) where kind.isFailure:
      return "Works again, after \(runs) that failed since \(since)."
    case (.partial, .ended):
      return "Left nothing out, after "
        + "\(NumberWords.counted(incident.runs, "partial run")) since \(since)."
    case (.late, .ended) where incident.isUnscheduled:
      return "Is no longer expected, after \(length)."
    case (.late, .ended): return "Was started again, after \(length)."
    case (_, .ended): return "\(ending.capitalizedFirst), after \(length)."
    case (_, .lasts):
      return incident.runs > 0
        ? "Since \(since), in \(runs): \(incident.sentence)"
        : "Since \(since): \(incident.sentence)"
    case (.partial, _): return "Partial: \(incident.sentence)"
    case (_, .began), (_, .changed), (_, .again): return incident.sentence
    }
  }

  /// A whole message: the subject, what is wrong, and the command that lists all that is open.
  package func text(app: String, listing command: String) -> String {
    """
    \(app): \(headline)

    \(line)

    Began \(incident.beganAt.iso8601). All that is open: \(command)

    """
  }

  private var jobs: String { incident.jobs.isEmpty ? "all jobs" : incident.jobs.listed }
  private var gone: String { incident.waiting.listed }
  private var isOneGone: Bool { incident.waiting.count == 1 }
  private var isOne: Bool { incident.jobs.count == 1 }
  private var cause: String { incident.causes.last ?? "" }

  /// Rounded up to a minute, below that to a second.
  ///
  /// Starts that cron makes a day apart are apart by a little less.
  private var length: String {
    let seconds = ((incident.endedAt ?? incident.seenAt) - incident.beganAt).fractionalSeconds
    let unit = seconds < 60 ? 1.0 : 60
    return NumberWords.roughly(seconds: max(1, (seconds / unit).rounded(.up)) * unit)
  }

  private var beginning: String {
    switch incident.kind {
    case .server: "no answer from \(cause)"
    case .failure: "\(jobs) \(isOne ? "fails" : "fail")"
    case .file: "\(jobs) cannot run, the file is wrong"
    case .partial: "\(jobs) \(isOne ? "leaves" : "leave") something out"
    case .warning: "warning of \(jobs)"
    case .lock: "\(jobs) cannot run, the workspace is locked"
    case .configuration: "no job can run, firetally.yml is wrong"
    case .late: "\(jobs) was not started"
    case .clock: "runs are dated in the future"
    case .disk: "no run can be recorded"
    case .gap: "nothing ran for \(length)"
    }
  }

  private var ending: String {
    guard !incident.isOfGoneJobs else {
      return "\(gone) \(isOneGone ? "is" : "are") gone"
    }
    return switch incident.kind {
    case .server: "\(cause) answers again"
    case .failure, .file: "\(jobs) \(isOne ? "works" : "work") again"
    case .partial: "\(jobs) no longer \(isOne ? "leaves" : "leave") anything out"
    case .warning: "a warning of \(jobs) is over"
    case .lock: "the workspace is free again"
    case .configuration: "the configuration is right again"
    case .late where incident.isUnscheduled: "\(jobs) is no longer expected"
    case .late: "\(jobs) was started again"
    case .clock: "no run is dated in the future now"
    case .disk: "runs are recorded again"
    case .gap: beginning
    }
  }
}
