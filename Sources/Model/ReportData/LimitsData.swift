/// What the store knows of settings and limits, for the limits report.
package struct LimitsData: Sendable {
  /// A profile with its limit states and its moments.
  package struct ProfileLimits: Sendable {
    package var profile: Profile
    /// Has no state for a feature that was never used.
    package var states: [Feature: LimitState]
    package var moments: MomentUsage

    package init(profile: Profile, states: [Feature: LimitState], moments: MomentUsage) {
      self.profile = profile
      self.states = states
      self.moments = moments
    }
  }

  /// How far a profile has used its quotas of moments, by what this workspace knows.
  package struct MomentUsage: Hashable, Sendable {
    /// Today in the profile's time zone.
    package var today: LocalDay
    /// Moments logged in this workspace and not rejected.
    package var countToday: Int
    package var countTotal: Int
    /// What the moments service answered.
    package var reached: ReachedMomentLimits

    package init(
      today: LocalDay, countToday: Int = 0, countTotal: Int = 0,
      reached: ReachedMomentLimits = .none
    ) {
      self.today = today
      self.countToday = countToday
      self.countTotal = countTotal
      self.reached = reached
    }
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
  package var chosenProfile: String
  /// What changed limits did; nil in a report on one user alone.
  package var experiments: ExperimentData?

  package init(
    settings: Settings, fetched: [FetchedSetting], changes: [SettingChange],
    profiles: [ProfileLimits], price: String?, chosenProfile: String = Profile.defaultName
  ) {
    self.settings = settings
    self.fetched = fetched
    self.changes = changes
    self.profiles = profiles
    self.price = price
    self.chosenProfile = chosenProfile
  }

  /// Nil when no profile has that name.
  package var chosen: ProfileLimits? {
    profiles.first { $0.profile.name == chosenProfile }
  }
}
