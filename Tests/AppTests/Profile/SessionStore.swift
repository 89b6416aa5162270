import Fixtures
import Model
import StoreTesting
import Synchronization
import Testing

@testable import App
@testable import Workspace
@testable import Store

/// A database of its own, and the sessions on it.
final class SessionStore: Sendable {
  static let start = Instant.morning

  let store: Store
  private let folder: TemporaryFolder
  private let sessionCount = Mutex(0)

  init() throws {
    folder = try TemporaryFolder()
    store = try NewDatabase.open(path: folder.path(of: "firetally.sqlite"))
  }

  /// The database once more, as another process would open it.
  func reopened() throws -> Store { try Store.open(path: store.path) }

  /// A session under the given settings; `set` is `firetally.yml: settings:`.
  ///
  /// Without an id its app sessions are `s1`, `s2` and so on, by their order in the workspace.
  func session(
    on other: Store? = nil, profile: String = Profile.defaultName, set: [SettingKey: String] = [:],
    price: String? = nil, deliversEvents: Bool = false, id: String? = nil,
    isOwnerAlive: @escaping @Sendable (String) throws -> Bool = { _ in true }
  ) -> ProfileSession {
    ProfileSession(
      store: other ?? store, app: AppConfig(name: "ChatHub"),
      profileName: profile, settings: SettingsRule.resolve(fetched: [], workspace: set),
      price: price, deliversEvents: deliversEvents, id: id ?? self.nextSessionId(),
      isOwnerAlive: isOwnerAlive)
  }

  private func nextSessionId() -> String {
    sessionCount.withLock { count in
      count += 1
      return "s\(count)"
    }
  }

  func state(_ feature: Feature = .refresh, profile: String = "default") throws -> LimitState {
    try store.read { try $0.limitState(profile: profile, feature: feature) }
  }

  func events() throws -> [Event] {
    var events: [Event] = []
    try store.read { reader in try reader.forEachEvent { events.append($0) } }
    return events
  }

  func eventNames() throws -> [String] { try events().map(\.name) }

  func outbox() throws -> [OutboxItem] {
    try store.read { try $0.outboxItems(limit: 100) }
  }

  func feedback() throws -> [RatingsData.FeedbackEntry] {
    try store.read { try $0.feedbackEntries() }
  }

  func pendingUses() throws -> [PendingUse] {
    try store.read { try $0.pendingUses() }
  }
}

/// What a test throws to see a transaction undone.
struct Interruption: Error {}

extension ProfileSession {
  /// What `check` would decide; stores nothing.
  func peek(_ feature: Feature, now: Instant) throws -> LimitCheck {
    try limitSnapshot().peek(feature, now: now)
  }

  /// The stored profile; one with the defaults when it was never saved.
  func profile() throws -> Profile { try store.read { try profile(in: $0) } }
}
