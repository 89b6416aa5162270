import Fixtures
import Model
import Store
import StoreTesting
import Testing

@testable import App
@testable import Workspace

/// The seam between the session's events and the replay.
@Suite("The ledger and the stored states")
struct LedgerPropertyTests {
  @Test(arguments: [UInt64](1...12))
  func `replaying the ledger of any commands of one profile ends in the stored limit states`(
    seed: UInt64
  ) throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(path: folder.path + "/firetally.sqlite")
    let settings = SettingsRule.resolve(
      fetched: [], workspace: [.messageLimit: "1", .filterCooldown: "30"])
    let session = ProfileSession(
      store: store, app: AppConfig(name: "ChatHub"),
      settings: settings, id: "s\(seed)")
    var commands = RandomCommands(seed: seed)
    for _ in 0..<150 { try commands.step(session) }
    var replay = LimitReplay(settings: settings)
    try ReplaySource.ledger(store).forEach(users: StringInterner(), rejected: { _, _ in }) {
      step, user, _ in
      switch step {
      case .attempt(let attempt): _ = replay.decide(attempt, of: user)
      case .reset(let feature): replay.reset(feature, of: user)
      case .subscriptionTap, .unknownAttempt: break
      }
    }
    for feature in Feature.allCases {
      let stored = try store.read { try $0.limitState(profile: "default", feature: feature) }
      let replayed = replay.state(of: 0, feature)
      // The ends of cooldowns that were recorded are left to the next attempt by a replay.
      let limit = settings.limit(of: feature)
      let ended = LimitRule.ended(replayed, limit: limit, now: commands.now)?.state
      #expect(
        stored == replayed || stored.isFresh && stored == ended, "seed \(seed), \(feature)")
    }
  }
}

/// Commands of one profile whose clock goes on, or stands still.
private struct RandomCommands {
  private var random: SplitMix
  private(set) var now = Instant.morning

  init(seed: UInt64) {
    random = SplitMix(state: seed)
  }

  mutating func step(_ session: ProfileSession) throws {
    now = now + .milliseconds(max(0, Int64.random(in: -2_000...25_000, using: &random)))
    let feature = Feature.allCases.randomElement(using: &random) ?? .refresh
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<8: _ = try session.use(feature, now: now)
    case 8..<13: _ = try session.check(feature, now: now)
    case 13..<15: _ = try session.peek(feature, now: now)
    case 15..<19: try act(session, feature)
    case 19: try session.reset([feature], now: now)
    case 20: try session.setTier(Tier.allCases.randomElement(using: &random) ?? .free)
    case 21: try session.setTier(.free)
    case 22: _ = try session.expireCooldowns(now: now)
    default:
      let age = Duration.microseconds(Int64.random(in: -1_000_000...14_400_000_000, using: &random))
      let createdAt = now - age
      try session.updateProfile { $0.firstAccountCreatedAt = createdAt }
    }
  }

  /// An action that takes time and may fail.
  private mutating func act(_ session: ProfileSession, _ feature: Feature) throws {
    let start = try session.beginUse(feature, now: now, owner: "test")
    guard let ticket = start.ticket else { return }
    now = now + .milliseconds(Int64.random(in: 0...3_000, using: &random))
    try session.finishUse(ticket, succeeded: Bool.random(using: &random), now: now)
  }
}

/// SplitMix64: the same numbers for the same seed, which a failing property prints.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
