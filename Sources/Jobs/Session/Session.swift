package import Model
package import Store

/// The actions of one profile during one command: Rules decide them, Store records them.
///
/// Each method that changes something is one write transaction, so that state, events and outbox
/// rows appear together or not at all. Methods throw `StoreError`.
package final class Session: Sendable {
  package let store: Store
  package let app: AppIdentity
  package let profileName: String
  package let settings: Settings
  /// The price in popups unless the profile has its own; nil shows none.
  package let price: String?
  /// Whether events are also queued for Google Analytics.
  package let deliversEvents: Bool
  /// Makes the id of an app session that begins with an event of this command.
  let newSessionId: @Sendable () -> String
  /// Whether the owner of a pending use is still alive.
  let isOwnerAlive: @Sendable (_ owner: String) throws -> Bool

  /// - Parameters:
  ///   - store: the workspace's database.
  ///   - app: the names of the app.
  ///   - profileName: the profile that acts.
  ///   - settings: the settings in force.
  ///   - price: the price in popups; nil for none.
  ///   - deliversEvents: whether events are also queued for Google Analytics.
  ///   - id: the id of a new app session, evaluated once for each.
  ///   - isOwnerAlive: whether the owner of a pending use is alive; a dead owner's use is given back.
  package init(
    store: Store, app: AppIdentity, profileName: String = Profile.defaultName,
    settings: Settings, price: String? = nil, deliversEvents: Bool = false,
    id: @escaping @autoclosure @Sendable () -> String,
    isOwnerAlive: @escaping @Sendable (_ owner: String) throws -> Bool = { _ in true }
  ) {
    self.store = store
    self.app = app
    self.profileName = profileName
    self.settings = settings
    self.price = price
    self.deliversEvents = deliversEvents
    newSessionId = id
    self.isOwnerAlive = isOwnerAlive
  }

  func price(for profile: Profile) -> String? { profile.price ?? price }
}

/// The names of the workspace's app in texts, events and documents.
package struct AppIdentity: Hashable, Sendable {
  /// In popups and rating keys, for example `ChatHub`.
  package var name: String
  /// In document paths, for example `com.peppty.ChatApp`.
  package var bundleId: String
  /// The prefix of event names and parameters.
  package var platform: String

  package init(name: String, bundleId: String, platform: String = "ios") {
    self.name = name
    self.bundleId = bundleId
    self.platform = platform
  }
}
