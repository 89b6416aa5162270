extension Hook {
  /// The keys of one hook; `docs/running.md#hook-keys` lists them.
  package static let keys = options.table

  fileprivate static let options = OptionKeys(
    Hook(action: .command("")),
    [
      .custom(ConfigurationKey("ping", .hookAddress)) { reader, hook in
        if let url = reader.secureAddress("ping") { hook.action = .ping(url: url) }
      },
      .custom(ConfigurationKey("command", .command)) { reader, hook in
        if let command = reader.text("command") { hook.action = .command(command) }
      },
      .key("body", \.body, .choice.guarded),
      .key("healthchecks", \.isCheck, .boolean.guarded),
      .key("timeout", \.timeout, .time(longest: longestTimeout)),
      .key("retries", \.retries, .integer(retryCounts)),
      .key("once_per_outage", \.isOncePerOutage, .boolean),
    ])

  /// The word that switches a hook off.
  package static let noneWord = "none"
}

extension JobHooks {
  /// The key `hooks`, in job files and in `firetally.yml`.
  package static let key = ConfigurationKey(
    "hooks",
    .object(
      HookEvent.allCases.map {
        ConfigurationKey($0.rawValue, .either([.word(Hook.noneWord), .hook]))
      }))
}

extension MappingReader {
  /// Reads the mapping `hooks`; problems go to the log.
  package func jobHooks() -> JobHooks {
    let reader = mapping("hooks")
    reader.refuseOthers(than: HookEvent.allCases.map(\.rawValue))
    var hooks: [HookEvent: Hook] = [:]
    var silent: Set<HookEvent> = []
    for event in HookEvent.allCases {
      if reader.entry(event.rawValue)?.scalar == .text(Hook.noneWord) {
        silent.insert(event)
      } else {
        hooks[event] = reader.hook(event.rawValue, of: event)
      }
    }
    return JobHooks(hooks: hooks, silent: silent)
  }

  /// Reads a mapping with `ping` or `command`; `event` is nil for a hook of the job's kind.
  package func hook(_ key: String, of event: HookEvent? = nil) -> Hook? {
    guard let entry = entry(key) else { return nil }
    let reader = mapping(key)
    guard entry.scalar == .mapping else { return nil }
    reader.refuseOthers(than: Hook.keys.names)
    var hook = Hook.options.read(reader)
    switch (reader.entry("ping"), reader.entry("command")) {
    case (nil, nil): problem(entry, "must have 'ping: URL' or 'command: \"...\"'")
    case (_?, _?): problem(entry, "has both 'ping' and 'command'; keep one of them")
    default: break
    }
    reader.refuseCombinations(hook, of: event)
    if hook.isCheck, reader.entry("body") == nil { hook.body = .text }
    return hook
  }

  private func refuseCombinations(_ hook: Hook, of event: HookEvent?) {
    if hook.isCheck, let entry = entry("healthchecks"), self.entry("ping") == nil {
      problem(entry, "goes with 'ping' only")
    }
    if hook.body == .slack, let entry = entry("body"), self.entry("ping") == nil {
      problem(entry, "'slack' goes with 'ping' only; a command takes 'text'")
    }
    if hook.isOncePerOutage, let entry = entry("once_per_outage"), event != .onFailure,
      event != .onSuccess
    {
      problem(entry, "goes with on_failure and on_success only")
    }
  }
}
