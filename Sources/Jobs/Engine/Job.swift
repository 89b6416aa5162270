import Sync

/// One job of the workspace, as its file describes it.
package struct Job: Sendable {
  /// The file's name without `.yml`.
  package var name: String
  /// What it does, and how.
  package var definition: any JobDefinition
  package var description: String
  /// Nil: runs only when asked for.
  package var schedule: CronSchedule?
  /// Jobs that come first when both are selected; sorted.
  package var needs: [String]
  /// Nil: as long as it takes.
  package var timeout: Duration?
  /// How late it may start before it is late; nil for the default of `grace`.
  package var lateAfter: Duration?
  package var hooks: JobHooks

  package init(
    name: String, _ definition: any JobDefinition, description: String = "",
    schedule: CronSchedule? = nil, needs: [String] = [], timeout: Duration? = nil,
    lateAfter: Duration? = nil, hooks: JobHooks = JobHooks()
  ) {
    self.name = name
    self.definition = definition
    self.description = description
    self.schedule = schedule
    self.needs = needs
    self.timeout = timeout
    self.lateAfter = lateAfter
    self.hooks = hooks
  }

  package var kind: JobKind { type(of: definition).kind }

  /// The path of the collection that the job copies, or the group's id; nil for other jobs.
  package var collection: String? {
    definition.copies.map {
      [$0.parent, $0.collectionId].compactMap(\.self).joined(separator: "/")
    }
  }

  /// Whether its runs need no lock; see `JobDefinition.isReadOnly`.
  package var isReadOnly: Bool { type(of: definition).isReadOnly }

  /// Whether a text is a job's name: lower-case words joined by hyphens, at most 64 letters.
  package static func isName(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
    return isPlain && text.utf8.count <= 64
  }
}

extension Job: Hashable {
  package static func == (left: Job, right: Job) -> Bool {
    left.name == right.name && left.description == right.description
      && AnyHashable(left.definition) == AnyHashable(right.definition)
      && left.schedule == right.schedule && left.needs == right.needs
      && left.timeout == right.timeout && left.lateAfter == right.lateAfter
      && left.hooks == right.hooks
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
