import GRDB
package import Model

/// What the store knows of settings and limits, for the limits report.
package struct LimitsData: Sendable {
  /// A profile with its limit states and its moments.
  package struct ProfileLimits: Sendable {
    package var profile: Profile
    /// Has no state for a feature that was never used.
    package var states: [Feature: LimitState]
    package var moments: MomentUsage
  }

  /// How far a profile has used its quotas of moments, by what this workspace knows.
  package struct MomentUsage: Hashable, Sendable {
    /// Today in the profile's time zone.
    package var today: LocalDay
    /// Moments logged in this workspace and not rejected.
    package var countToday: Int = 0
    package var countTotal: Int = 0
    /// What the moments service answered.
    package var reached: ReachedMomentLimits = .none
  }

  package var settings: Settings
  /// The fields that the sources sent, including fields that Firetally does not know.
  package var fetched: [FetchedSetting]
  /// Newest first.
  package var changes: [SettingChange]
  /// By name, `default` first.
  package var profiles: [ProfileLimits]
  /// The price of the subscription in popups; nil when the workspace names none.
  package var price: String?
  /// The name of the profile whose decisions and popups the report shows.
  package var chosenProfile: String = Profile.defaultName
  /// What changed limits did; nil in a report on one user alone.
  package var experiments: ExperimentData?
  /// Proposed changes, newest first.
  package var proposals: [SettingProposal] = []

  /// Nil when no profile has that name.
  package var chosen: ProfileLimits? {
    profiles.first { $0.profile.name == chosenProfile }
  }
}

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
      price: price, chosenProfile: chosen,
      proposals: try settingProposals())
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

/// The moments of all profiles, counted in one pass each for the totals and the days.
struct MomentTallies {
  /// Moments that were not rejected, by profile.
  let totals: [String: Int]
  /// When those of the last days were logged, by profile.
  let recent: [String: [Instant]]
  let reached: [String: ReachedMomentLimits]

  /// The longest that a day began before now, in any time zone and across any change of clocks.
  fileprivate static let longestDay: Duration = .seconds(26 * 3_600)

  func usage(of profile: Profile, now: Instant) -> LimitsData.MomentUsage {
    let today = LocalDay(of: now, in: profile.timeZone)
    return LimitsData.MomentUsage(
      today: today,
      countToday: recent[profile.name, default: []].count { $0 >= today.start && $0 < today.end },
      countTotal: totals[profile.name, default: 0], reached: reached[profile.name] ?? .none)
  }
}

extension Readable {
  /// The moments of all profiles, as their quotas count them at `now`.
  func momentTallies(now: Instant) throws -> MomentTallies {
    let since = now - MomentTallies.longestDay
    var totals: [String: Int] = [:]
    var recent: [String: [Instant]] = [:]
    let counts = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT profile, count(*) FROM outbox WHERE kind = 'moment' AND state <> 'rejected'
        GROUP BY profile
        """)
    while let row = try counts.next() { totals[row[0]] = row[1] }
    let logged = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT profile, created_at FROM outbox
        WHERE kind = 'moment' AND state <> 'rejected' AND created_at >= ?
        """,
      arguments: [since.microseconds])
    while let row = try logged.next() {
      recent[row[0], default: []].append(Instant(microseconds: row[1]))
    }
    return MomentTallies(totals: totals, recent: recent, reached: try allReachedMomentLimits())
  }
}
