/// The hooks of a job, or those that jobs have by default.
package struct JobHooks: Hashable, Sendable {
  package private(set) var hooks: [HookEvent: Hook] = [:]
  /// Events without a hook, even when the defaults have one (`none`).
  package private(set) var silent: Set<HookEvent> = []

  package init(hooks: [HookEvent: Hook] = [:], silent: Set<HookEvent> = []) {
    self.hooks = hooks
    self.silent = silent
  }

  package subscript(event: HookEvent) -> Hook? { hooks[event] }

  /// The same, with the default for each event that the job does not name.
  package func inheriting(_ defaults: JobHooks) -> JobHooks {
    var all = self
    all.hooks.merge(defaults.hooks.filter { !silent.contains($0.key) }) { own, _ in own }
    return all
  }
}
