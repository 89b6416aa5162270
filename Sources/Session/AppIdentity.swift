/// The app that a workspace mirrors, as its texts, events and documents name it.
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
