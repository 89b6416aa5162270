package import Model

extension Readable {
  /// What the limits report needs: the store's part, and `settings` and `price` as they were resolved.
  ///
  /// Profiles that were never saved but have a limit state come after the saved ones, with the
  /// defaults of `Profile`.
  package func limitsFacts(
    settings: Settings, price: String?, changes: Int
  ) throws -> LimitsFacts {
    let profiles = try profiles()
    let saved = Set(profiles.map(\.name))
    let unsaved = try profileNamesWithLimitStates().filter { !saved.contains($0) }
    return LimitsFacts(
      settings: settings,
      fetched: try fetchedSettings(),
      changes: try settingChanges(limit: changes),
      profiles: try (profiles + unsaved.map { Profile(name: $0) }).map { profile in
        LimitsFacts.ProfileLimits(
          profile: profile, states: try limitStates(profile: profile.name))
      },
      price: price)
  }
}
