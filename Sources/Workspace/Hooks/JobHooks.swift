/// The hooks of a job, or the default hooks of jobs.
package struct JobHooks: Hashable, Sendable {
  package private(set) var hooks: [HookEvent: Hook] = [:]
  /// The events without a hook (`none`), even if the defaults have one.
  package private(set) var silent: Set<HookEvent> = []

  package init(hooks: [HookEvent: Hook] = [:], silent: Set<HookEvent> = []) {
    self.hooks = hooks
    self.silent = silent
  }

  package subscript(event: HookEvent) -> Hook? { hooks[event] }

  /// Returns the hooks, with the default for each event that the job does not name.
  package func inheriting(_ defaults: JobHooks) -> JobHooks {
    var all = self
    all.hooks.merge(defaults.hooks.filter { !silent.contains($0.key) }) { own, _ in own }
    return all
  }
}
