package import Model

extension Readable {
  /// What the limits report needs: the store's part, and `settings` and `price` as they were
  /// resolved.
  ///
  /// `chosen` is among the profiles, saved or not. A profile that was never saved has the defaults
  /// of `Profile`.
  package func limitsData(
    settings: Settings, price: String?, changes: Int, profile chosen: String = Profile.defaultName,
    now: Instant
  ) throws -> LimitsData {
    let moments = try momentTallies(now: now)
    return LimitsData(
      settings: settings,
      fetched: try fetchedSettings(),
      changes: try settingChanges(limit: changes),
      profiles: try allProfiles(with: chosen).map { profile in
        LimitsData.ProfileLimits(
          profile: profile, states: try limitStates(profile: profile.name),
          moments: moments.usage(of: profile, now: now))
      },
      price: price, chosenProfile: chosen)
  }

  /// The profiles that were saved or have a limit state, `default` first, then by name.
  package func profileNames() throws -> [String] {
    try allProfiles().map(\.name)
  }

  private func allProfiles(with chosen: String? = nil) throws -> [Profile] {
    let saved = try profiles()
    let unsaved = Set(try profileNamesWithLimitStates() + [chosen].compactMap(\.self))
      .subtracting(saved.map(\.name))
    return (saved + unsaved.map { Profile(name: $0) }).sorted { left, right in
      (left.name == Profile.defaultName ? 0 : 1, left.name)
        < (right.name == Profile.defaultName ? 0 : 1, right.name)
    }
  }
}
