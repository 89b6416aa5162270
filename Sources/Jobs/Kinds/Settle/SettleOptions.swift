import App
package import Model
import Store
package import Workspace

/// How a job of kind `settle` works; see `docs/jobs/settle.md`.
package struct SettleOptions: JobKind {
  package static let kind = JobKindName("settle")

  /// The hook that runs for each restored allowance; nil for none.
  package var onReset: Hook?

  package static let options = OptionKeys(
    SettleOptions(),
    [
      .custom(ConfigurationKey(Hook.resetKey, .hook)) { reader, options in
        options.onReset = reader.hook(Hook.resetKey)
      }
    ])

  package var hooks: [String: Hook] {
    onReset.map { [Hook.resetKey: $0] } ?? [:]
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SettleWork(options: self, context: context)
  }
}

/// The work of the kind `settle`: records cooldowns that ended without a check; see
/// `docs/jobs/settle.md`.
struct SettleWork: JobWork {
  let options: SettleOptions
  let context: JobContext

  func plan() throws -> String {
    let settings = try context.settings()
    let count = try context.store.read { reader in
      try reader.profileNamesWithLimitStates().flatMap { try reader.limitStates(profile: $0) }
        .count {
          LimitRule.ended(
            $0.value, limit: settings.limit(of: $0.key), now: context.now) != nil
        }
    }
    return count == 0
      ? "No cooldown has ended. Would record nothing."
      : "Would record the end of \(count) \(count == 1 ? "cooldown" : "cooldowns")."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let settings = try context.settings()
    let profiles = try context.store.read { try $0.profileNamesWithLimitStates() }
    let restored = try profiles.flatMap { profile in
      try context.session(of: profile, settings).expireCooldowns(now: context.now).map {
        RestoredAllowance(profile: profile, feature: $0)
      }
    }
    guard !restored.isEmpty else { return JobResult(.fresh, "No cooldown has ended.") }
    var result = JobResult(
      .ok, restored.count == 1 ? "1 allowance is back." : "\(restored.count) allowances are back.",
      counts: RunCounts(updated: restored.count))
    result.announcements =
      options.onReset.map { hook in
        restored.map {
          JobResult.Announcement(key: Hook.resetKey, hook: hook, variables: $0.variables)
        }
      } ?? []
    return result
  }
}

extension RestoredAllowance {
  /// The environment variables of the hook's command.
  package var variables: [String: String] {
    [
      "FIRETALLY_PROFILE": profile, "FIRETALLY_FEATURE": feature.rawValue,
      "FIRETALLY_MESSAGE": message,
    ]
  }
}
