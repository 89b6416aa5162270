package import Model
package import Store

/// What one profile does during one command: decided by Rules, recorded through Store.
///
/// Every verb that changes something is one write transaction, so state, events and outbox rows
/// appear together or not at all. Verbs throw `StoreError`.
package final class Session: Sendable {
  package let store: Store
  package let app: AppIdentity
  package let profileName: String
  package let settings: Settings
  /// The price in popups unless the profile has its own; nil shows none.
  package let price: String?
  /// Whether its events are queued for Google Analytics too.
  package let deliversEvents: Bool
  /// Names the session in its events; unique per command.
  package let id: String

  let tally = SessionTally()

  package init(
    store: Store, app: AppIdentity, profileName: String = Profile.defaultName,
    settings: Settings, price: String? = nil, deliversEvents: Bool = false, id: String
  ) {
    self.store = store
    self.app = app
    self.profileName = profileName
    self.settings = settings
    self.price = price
    self.deliversEvents = deliversEvents
    self.id = id
  }

  func price(for profile: Profile) -> String? { profile.price ?? price }
}
