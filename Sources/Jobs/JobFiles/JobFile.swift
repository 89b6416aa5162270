import Yams

/// One job file, read on its own.
struct JobFile {
  /// A job named under `needs`, with where it stands.
  struct Need {
    let name: String
    let mark: Mark?
  }

  /// Nil when the file has problems that leave no job.
  let job: Job?
  let name: String
  let needs: [Need]
  let log: ProblemLog

  /// The keys that every job file may have.
  static let commonKeys = KeyTable([
    "kind", "description", "schedule", "needs", "timeout", "hooks",
    "hooks.on_start", "hooks.on_start.ping", "hooks.on_start.command",
    "hooks.on_success", "hooks.on_success.ping", "hooks.on_success.command",
    "hooks.on_failure", "hooks.on_failure.ping", "hooks.on_failure.command",
  ])

  static let longestTimeout = Duration.seconds(7 * 86_400)

  /// Reads a file; what is wrong with it stands in the log.
  ///
  /// - Throws: `ConfigurationError` when it cannot be read as YAML at all.
  init(_ source: SourceFile, name: String) throws(ConfigurationError) {
    let log = ProblemLog(file: source.path)
    let reader = MappingReader(try YAMLDocument.root(of: source), keyPath: "", log: log)
    if !Job.isName(name) {
      log.add(
        "a job is named by its file, in lower-case words joined by hyphens: 'nightly-users.yml'",
        at: nil, keyPath: "")
    }
    let kindName = reader.kindName()
    let needs = (reader.items("needs") ?? []).compactMap { item in
      reader.text(of: item).map { Need(name: $0, mark: item.value.mark) }
    }
    let kind = kindName.map { JobKind($0, job: name, reader) }
    let description = reader.text("description") ?? ""
    let schedule = reader.schedule()
    let timeout = reader.timeout()
    let hooks = JobHooks(reader.hooksMapping())
    reader.refuseKeys(foreignTo: kindName)
    self.name = name
    self.needs = needs
    self.log = log
    job = kind.map {
      Job(
        name: name, kind: $0, description: description, schedule: schedule,
        needs: Set(needs.map(\.name)).sorted(), timeout: timeout, hooks: hooks)
    }
  }
}

extension JobHooks {
  fileprivate init(_ reader: MappingReader) {
    self.init(
      onStart: reader.hook("on_start"), onSuccess: reader.hook("on_success"),
      onFailure: reader.hook("on_failure"))
  }
}

extension MappingReader {
  fileprivate func kindName() -> JobKind.Name? {
    guard entry("kind") != nil else {
      let kinds = JobKind.Name.allCases.map(\.rawValue).joined(separator: ", ")
      missing("kind", "it is one of \(kinds)")
      return nil
    }
    return choice("kind", of: JobKind.Name.self)
  }

  fileprivate func refuseKeys(foreignTo kind: JobKind.Name?) {
    let common = JobFile.commonKeys.keys(under: "")
    guard let kind else { return }
    refuseOthers(than: common + kind.keys.keys(under: "")) { key in
      let owners = JobKind.Name.allCases.filter { $0.keys.keys(under: "").contains(key) }
      let names = owners.map(\.rawValue).joined(separator: ", ")
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

  fileprivate func timeout() -> Duration? {
    guard let entry = entry("timeout") else { return nil }
    if case .text(let text) = entry.scalar, let timeout = DurationText.duration(text),
      timeout <= JobFile.longestTimeout
    {
      return timeout
    }
    wrongType(entry, wanted: "a time from 1s to 7d, such as 90s, 10m or 2h")
    return nil
  }

  fileprivate func hooksMapping() -> MappingReader {
    let hooks = mapping("hooks")
    hooks.refuseOthers(than: JobFile.commonKeys.keys(under: "hooks"))
    return hooks
  }

  fileprivate func hook(_ key: String) -> Hook? {
    guard let entry = entry(key) else { return nil }
    let hook = mapping(key)
    hook.refuseOthers(than: JobFile.commonKeys.keys(under: "hooks.\(key)"))
    let url = hook.text("ping", wanted: WebAddress.wanted, where: WebAddress.isValid)
    let command = hook.text("command")
    switch (hook.entry("ping"), hook.entry("command")) {
    case (nil, nil): problem(entry, "must have 'ping: URL' or 'command: \"...\"'")
    case (_?, _?): problem(entry, "has both 'ping' and 'command'; keep one")
    default: break
    }
    return url.map(Hook.ping) ?? command.map(Hook.command)
  }
}
