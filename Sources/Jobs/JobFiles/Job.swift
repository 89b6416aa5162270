/// One job of the workspace, as its file describes it.
package struct Job: Hashable, Sendable {
  /// The file's name without `.yml`.
  package var name: String
  package var kind: JobKind
  package var description: String
  /// Nil: runs only when asked for.
  package var schedule: CronSchedule?
  /// Jobs that come first when both are selected; sorted.
  package var needs: [String]
  /// Nil: as long as it takes.
  package var timeout: Duration?
  package var hooks: JobHooks

  package init(
    name: String, kind: JobKind, description: String = "", schedule: CronSchedule? = nil,
    needs: [String] = [], timeout: Duration? = nil, hooks: JobHooks = JobHooks()
  ) {
    self.name = name
    self.kind = kind
    self.description = description
    self.schedule = schedule
    self.needs = needs
    self.timeout = timeout
    self.hooks = hooks
  }

  /// Whether a text is a job's name: lower-case words joined by hyphens, at most 64 letters.
  package static func isName(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
    return isPlain && text.utf8.count <= 64
  }
}
