/// Which changes of settings changed a limit: docs/replay.md#changed-limits.
extension Settings {
  /// The changes of values that decide about limits, the newest first: before `end` and, when it is
  /// given, after `start`.
  ///
  /// A first value, and one that a stronger source overrides, changed nothing.
  package func limitChanges(
    among changes: [SettingChange], after start: Instant? = nil, before end: Instant
  ) -> [SettingChange] {
    changes.filter { change in
      guard let key = SettingKey(wireName: change.wireName), key.descriptor.role != nil,
        let old = change.oldValue, old != change.newValue, change.changedAt < end,
        start.map({ change.changedAt > $0 }) ?? true
      else { return false }
      return self[key].map { $0.source <= change.source || change.newValue == nil } ?? true
    }.sorted { $0.changedAt > $1.changedAt }
  }
}
