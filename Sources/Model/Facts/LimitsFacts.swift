/// What the store knows of settings and limits, for the limits report.
package struct LimitsFacts: Sendable {
  package struct ProfileLimits: Sendable {
    package var profile: Profile
    /// A feature without a state was never used.
    package var states: [Feature: LimitState]

    package init(profile: Profile, states: [Feature: LimitState]) {
      self.profile = profile
      self.states = states
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

  package init(
    settings: Settings, fetched: [FetchedSetting], changes: [SettingChange],
    profiles: [ProfileLimits], price: String?
  ) {
    self.settings = settings
    self.fetched = fetched
    self.changes = changes
    self.profiles = profiles
    self.price = price
  }
}
