import Model
package import Workspace
import Yams

/// One job file, checked on its own.
package struct JobFile {
  /// The job; nil when the file's problems leave none.
  package let job: Job?
  let name: String
  /// The jobs named under `needs`, with their positions in the file.
  let needs: [(name: String, mark: Mark?)]
  package let log: ProblemLog
  /// The positions of the keys that name tables, for checks across files.
  let tableMarks: [String: Mark]

  package static let commonKeys = [
    ConfigurationKey("kind", .choice(of: JobKindName.self), isRequired: true),
    ConfigurationKey("description", .text), ConfigurationKey("schedule", .text),
    ConfigurationKey("needs", .list(.text)),
    ConfigurationKey("timeout", .time(longest: longestTimeout)),
    ConfigurationKey("late_after", .time(longest: longestTimeout)), JobHooks.key,
  ]

  static let longestTimeout = Duration.seconds(7 * 86_400)

  /// Reads a file; its problems go to the log.
  ///
  /// - Throws: `ConfigurationError` when the file is not readable as YAML.
  package init(
    _ source: SourceFile, name: String, variables: VariableExpansion.Variables
  ) throws(ConfigurationError) {
    let log = ProblemLog(file: source.path)
    var reader = MappingReader(
      try VariableExpansion.root(of: source, variables, log: log), keyPath: "", log: log,
      keys: KeyTable(Self.commonKeys))
    if !Job.isName(name) {
      log.add(
        "a job is named by its file, in lower-case words joined by hyphens: 'nightly-users.yml'",
        at: nil, keyPath: "")
    }
    let kindName = reader.kindName()
    let kind = kindName.flatMap(JobRegistry.definition)
    reader.keys = KeyTable(Self.commonKeys + (kind?.keys ?? []))
    let needs = (reader.items("needs") ?? []).compactMap { item in
      reader.text(of: item).map { (name: $0, mark: item.value.mark) }
    }
    let definition = kind.map { $0.init(reader, job: name) }
    let description = reader.text("description") ?? ""
    let schedule = reader.schedule()
    let timeout = reader.time("timeout", longest: Self.longestTimeout)
    let lateAfter = reader.time("late_after", longest: Self.longestTimeout)
    let hooks = reader.jobHooks()
    reader.refuseKeys(foreignTo: kindName)
    self.name = name
    self.needs = needs
    self.log = log
    let table = ["table", "collection", "collection_group"].lazy.compactMap(reader.entry).first
    tableMarks = ["table": table, "explode": reader.entry("explode"), "kind": reader.entry("kind")]
      .compactMapValues { $0?.value.mark }
    job = definition.map {
      Job(
        name: name, definition: $0, description: description, schedule: schedule,
        needs: Set(needs.map(\.name)).sorted(), timeout: timeout, lateAfter: lateAfter,
        hooks: hooks)
    }
  }
}

extension MappingReader {
  fileprivate func kindName() -> JobKindName? {
    guard entry("kind") != nil else {
      let kinds = JobKindName.allCases.map(\.rawValue).joined(separator: ", ")
      missing("kind", "it is one of \(kinds)")
      return nil
    }
    return choice("kind", of: JobKindName.self)
  }

  fileprivate func refuseKeys(foreignTo kind: JobKindName?) {
    guard let definition = kind.flatMap(JobRegistry.definition) else { return }
    refuseOthers(than: (JobFile.commonKeys + definition.keys).names) { key in
      let owners = JobRegistry.all.filter { $0.keys.names.contains(key) }
      let names = owners.map { $0.kind.rawValue }.joined(separator: ", ")
      return owners.isEmpty ? "" : " It belongs to the kind \(names)."
    }
  }

  fileprivate func schedule() -> CronSchedule? {
    guard let entry = entry("schedule"), let text = text(of: entry) else { return nil }
    do {
      return try CronSchedule(parsing: text)
    } catch {
      problem(entry, error.description)
      return nil
    }
  }
}
