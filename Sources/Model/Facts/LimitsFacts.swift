/// What the store knows of settings and limits, for the limits report.
package struct LimitsFacts: Sendable {
  package struct ProfileLimits: Sendable {
    package var profile: Profile
    /// A feature without a state was never used.
    package var states: [Feature: LimitState]
    package var moments: Moments

    package init(profile: Profile, states: [Feature: LimitState], moments: Moments) {
      self.profile = profile
      self.states = states
      self.moments = moments
    }
  }

  /// How far a profile has used its quotas of moments, as far as this workspace knows.
  package struct Moments: Hashable, Sendable {
    /// The day by the profile's calendar.
    package var today: LocalDay
    /// Logged here and not rejected.
    package var countToday: Int
    package var countTotal: Int
    /// What the service has said.
    package var marks: MomentMarks

    package init(
      today: LocalDay, countToday: Int = 0, countTotal: Int = 0, marks: MomentMarks = .none
    ) {
      self.today = today
      self.countToday = countToday
      self.countTotal = countTotal
      self.marks = marks
    }
  }

  package var settings: Settings
  /// The fields that the sources sent, including those Firetally does not know.
  package var fetched: [FetchedSetting]
  /// Newest first.
  package var changes: [SettingChange]
  /// By name, `default` first.
  package var profiles: [ProfileLimits]
  /// The price of the subscription in popups; nil when the workspace names none.
  package var price: String?
  /// The profile whose own state the page shows.
  package var chosenProfile: String

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

  /// Nil when there is no profile of that name.
  package var chosen: ProfileLimits? {
    profiles.first { $0.profile.name == chosenProfile }
  }
}
