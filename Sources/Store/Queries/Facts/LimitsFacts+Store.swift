package import Model

extension Readable {
  /// What the limits report needs: the store's part, and `settings` and `price` as they were resolved.
  ///
  /// A profile that was never saved but has a limit state has the defaults of `Profile`.
  package func limitsFacts(
    settings: Settings, price: String?, changes: Int
  ) throws -> LimitsFacts {
    let saved = try profiles()
    let unsaved = Set(try profileNamesWithLimitStates()).subtracting(saved.map(\.name))
    let profiles = (saved + unsaved.map { Profile(name: $0) }).sorted { left, right in
      (left.name == Profile.defaultName ? 0 : 1, left.name)
        < (right.name == Profile.defaultName ? 0 : 1, right.name)
    }
    return LimitsFacts(
      settings: settings,
      fetched: try fetchedSettings(),
      changes: try settingChanges(limit: changes),
      profiles: try profiles.map { profile in
        LimitsFacts.ProfileLimits(
          profile: profile, states: try limitStates(profile: profile.name))
      },
      price: price)
  }
}
