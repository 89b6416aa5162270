import Emulator
import Foundation
import Jobs
import Model
import Store

/// Moments of every fate: delivered, parked until tomorrow, parked until an upgrade.
extension Demo {
  /// Users of the moments service, by profile; the last one's total is used up already.
  private static let users = [
    "default": "demo-user", "demo-lite": "demo-subscriber", "demo-at-limit": "demo-full",
  ]

  private static let texts = [
    "Took the stairs, all seven floors", "Called grandma back", "Said no, kindly",
    "Went to bed before midnight",
  ]

  /// Tells the service what the demo's users did in the weeks before.
  static func seedMoments(in server: EmulatorServer, now: Instant) {
    server.moments.setPremium(true, userId: "demo-subscriber")
    let quota = MomentStore.Quotas().freeTotal
    let moments = (0..<quota).map { number in
      Moment(
        clientId: UUID().uuidString.lowercased(), text: texts[number % texts.count],
        submittedAt: now - .seconds((number + 2) * 86_400), tz: "UTC", userId: "demo-full")
    }
    server.moments.seed(moments)
  }

  /// Queues moments of three profiles: one more than a day takes, few, and one too many.
  func logMoments(_ opened: OpenWorkspace, _ store: Store) throws {
    let counts = [("default", Self.texts.count), ("demo-lite", 2), ("demo-at-limit", 1)]
    for (profile, count) in counts {
      let session = try session(profile, opened, store)
      try session.updateProfile { $0.userId = Self.users[profile] }
      for text in Self.texts.prefix(count) {
        _ = try session.addMoment(
          text, clientId: UUID().uuidString.lowercased(), now: now - .seconds(60))
      }
    }
  }
}

/// The demo's reviews and accounts: jobs of its own, since a new workspace has none without an app's
/// number, and none that needs a role beside Firestore's.
extension Demo {
  private static let jobFile = """
    # Copies the customer reviews of the App Store; docs/jobs.md explains every key.
    kind: sync-reviews
    description: Customer reviews of the App Store
    app_id: \(SampleReviews.appId)
    countries: [\(SampleReviews.countries.joined(separator: ", "))]

    """

  private static let accountsFile = """
    # Reads the accounts of Firebase Authentication; docs/jobs/sync-auth.md explains every key.
    kind: sync-auth
    description: Accounts of Firebase Authentication, with their tiers

    """

  /// Adds the jobs to the workspace; a file that is there stays.
  func addJobs(to workspace: Workspace) throws {
    let files = ["app-store-reviews": Self.jobFile, "accounts": Self.accountsFile]
    for (name, text) in files {
      _ = try AtomicFile.create(Array(text.utf8), at: workspace.path("jobs/\(name).yml"))
    }
  }
}
