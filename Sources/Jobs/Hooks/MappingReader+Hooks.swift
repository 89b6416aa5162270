extension Hook {
  /// The keys of one hook; `docs/running.md#hook-keys` lists them.
  package static let keys = KeyTable([
    ConfigurationKey("ping", .hookAddress),
    ConfigurationKey("command", .command),
    ConfigurationKey("body", .choice(of: Body.self), default: Body.none.rawValue),
    ConfigurationKey("healthchecks", .boolean, default: "false"),
    ConfigurationKey(
      "timeout", .time(longest: longestTimeout), default: DurationText.text(defaultTimeout)),
    ConfigurationKey("retries", .integer(retryCounts), default: "0"),
    ConfigurationKey("once_per_outage", .boolean, default: "false"),
  ])

  /// The word that switches a hook off.
  static let noneWord = "none"
}

extension JobHooks {
  /// The keys of the hooks of a job, and of those in `firetally.yml`.
  static let keys =
    [ConfigurationKey("hooks", .mapping)]
    + HookEvent.allCases.map {
      ConfigurationKey(
        "hooks.\($0.rawValue)", .either([.word(Hook.noneWord), .object(Hook.keys)]))
    }
}

extension MappingReader {
  /// The mapping `hooks`, with all that is wrong in the log.
  func jobHooks() -> JobHooks {
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
    return JobHooks(hooks, silent: silent)
  }

  /// A mapping with `ping` or `command`; `event` is nil for a hook of the job's kind.
  func hook(_ key: String, of event: HookEvent? = nil) -> Hook? {
    guard let entry = entry(key) else { return nil }
    let reader = mapping(key)
    guard entry.scalar == .mapping else { return nil }
    reader.refuseOthers(than: Hook.keys.keys(under: ""))
    let url = reader.address("ping")
    let command = reader.text("command")
    switch (reader.entry("ping"), reader.entry("command")) {
    case (nil, nil): problem(entry, "must have 'ping: URL' or 'command: \"...\"'")
    case (_?, _?): problem(entry, "has both 'ping' and 'command'; keep one of them")
    default: break
    }
    let isCheck = reader.boolean("healthchecks") ?? false
    let body = reader.choice("body", of: Hook.Body.self)
    let isOnce = reader.boolean("once_per_outage") ?? false
    let timeout = reader.time("timeout", longest: Hook.longestTimeout)
    let retries = reader.integer("retries", in: Hook.retryCounts)
    reader.refuseCombinations(body, isCheck: isCheck, isOnce: isOnce, of: event)
    let action = url.map { Hook.Action.ping(url: $0) } ?? command.map { .command($0) }
    return action.map {
      Hook(
        $0, body: body ?? (isCheck ? .text : .none), isCheck: isCheck,
        timeout: timeout ?? Hook.defaultTimeout, retries: retries ?? 0, isOncePerOutage: isOnce)
    }
  }

  private func refuseCombinations(
    _ body: Hook.Body?, isCheck: Bool, isOnce: Bool, of event: HookEvent?
  ) {
    if isCheck, let entry = entry("healthchecks"), self.entry("ping") == nil {
      problem(entry, "goes with 'ping' only")
    }
    if body == .slack, let entry = entry("body"), self.entry("ping") == nil {
      problem(entry, "'slack' goes with 'ping' only; a command takes 'text'")
    }
    if isOnce, let entry = entry("once_per_outage"), event != .onFailure, event != .onSuccess {
      problem(entry, "goes with on_failure and on_success only")
    }
  }
}
