/// A state that keeps jobs from doing well, from its beginning to its end: docs/incidents.md.
package struct JobIncident: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// A server does not answer, or is too busy.
    case server
    /// A job fails for another reason.
    case failure
    case file
    /// Runs of a job leave something out.
    case partial
    /// A hook fails, or others can read a key.
    case warning
    /// Another process holds the workspace.
    case lock
    /// `firetally.yml` is wrong.
    case configuration
    /// Nothing starts a job that has a schedule.
    case late
    /// Runs are dated in the future.
    case clock
    /// No run can be recorded.
    case disk
    /// Nothing ran at all for a time that is over.
    case gap

    package var isFailure: Bool { self == .server || self == .failure || self == .file }
  }

  package enum Moment: String, CaseIterable, Codable, Sendable {
    case began
    /// A reason that is new in this incident.
    case changed
    /// It still lasts, a day after its last message.
    case lasts
    /// It has come back after its end.
    case again
    case ended
  }

  package struct Message: Hashable, Sendable {
    package var moment: Moment
    package var at: Instant

    package init(_ moment: Moment, at: Instant) {
      self.moment = moment
      self.at = at
    }
  }

  /// The row's id; nil before it is stored.
  package var id: Int64?
  package var kind: Kind
  /// What makes the same trouble this incident.
  ///
  /// Hosts, jobs, or reasons with `#` for every number; oldest first. Empty where `isUnscheduled`.
  package var causes: [String]
  /// What is wrong, in the words of the newest run.
  package var sentence: String
  /// All jobs that it has touched, sorted.
  package var jobs: [String]
  /// Those of them that have not done well since, sorted; at its end those that are gone.
  package var waiting: [String]
  package var beganAt: Instant
  package var seenAt: Instant
  /// Nil while it lasts.
  package var endedAt: Instant?
  /// How many runs have met it.
  package var runs: Int
  /// How often it came back after its end.
  package var returns = 0
  /// Whether a reason was added that no message had.
  package var isChanged = false
  /// The last message; nil when there was none.
  package var lastMessage: Message?
  /// The message that did not arrive; nil when the last one arrived.
  package var tried: Moment?
  /// When a process last claimed the message that is due; nil when none is.
  package var claimedAt: Instant?

  package init(
    _ kind: Kind, causes: [String], sentence: String, jobs: [String] = [], beganAt: Instant,
    runs: Int = 0
  ) {
    self.kind = kind
    self.causes = causes
    self.sentence = sentence
    self.jobs = jobs.sorted()
    waiting = self.jobs
    self.beganAt = beganAt
    seenAt = beganAt
    self.runs = runs
  }

  package var isOver: Bool { endedAt != nil }

  /// Whether it ended because its jobs were removed or renamed.
  package var isOfGoneJobs: Bool { isOver && !waiting.isEmpty }

  /// Whether it is a late job whose schedule was removed: nothing makes it late now.
  package var isUnscheduled: Bool { causes.isEmpty }

  /// Takes out what makes it late.
  package mutating func unschedule() { causes = [] }
}

/// Something that is wrong, as one run meets it.
package struct JobTrouble: Hashable, Sendable {
  package var kind: JobIncident.Kind
  /// One or more, each the same for all that it troubles.
  package var causes: [String]
  package var sentence: String

  /// The cause is the sentence with `#` for every number: other waits, counts or times are the
  /// same.
  package init(_ kind: JobIncident.Kind, cause: String? = nil, _ sentence: String) {
    self.kind = kind
    causes = [cause ?? Self.withoutNumbers(sentence)]
    self.sentence = sentence
  }

  /// Each of the first 20 sentences is a cause of its own, so that one less is no new reason.
  package init(_ kind: JobIncident.Kind, sentences: [String]) {
    self.kind = kind
    causes = Array(sentences.map(Self.withoutNumbers).prefix(IncidentRule.mostReasons))
    sentence = sentences.joined(separator: " ")
  }

  package static func withoutNumbers(_ text: String) -> String {
    var result = ""
    for character in text {
      guard character.isASCII, character.isNumber else {
        result.append(character)
        continue
      }
      if result.last != "#" { result.append("#") }
    }
    return result
  }
}
