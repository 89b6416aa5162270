import Emulator
import Feeds
import Firestore
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import App
@testable import Jobs
@testable import Workspace

/// A disk that is lost at any moment, and what a restore and another run make of it.
///
/// What the servers have must be as if nothing had happened: feedback and moments once each.
struct DiskLossTests {
  private static let collection = "Feedback/com.example.app/Rating_Feedback"
  private static let other: [String: Value] = ["feedback": .string("somebody else's")]
  private static let jobs = [
    "users": "kind: sync-users\nmax_documents: all\n",
    "orders": "kind: sync-collection\ncollection: Orders\n",
    "outbox": "kind: upload-outbox\n", "feedback": "kind: sync-feedback\nneeds: [outbox]\n",
    "maintain": "kind: maintain\n",
  ]

  private static let texts = (1...4).map { "The limits stop me, number \($0)" }

  /// The requests of an undisturbed upload, and one beyond.
  private static let calls = 0...8

  /// A Firestore with users, orders, and seconds that others have taken with gaps between them.
  private func firestore() throws -> MemoryFirestore {
    let firestore = MemoryFirestore()
    let second = Instant.morning.unixSeconds
    for offset in [0, 1, 2, 4, 5, 6] {
      firestore.put(["\(Self.collection)/\(second + Int64(offset))": Self.other])
    }
    for number in 0..<20 { firestore.put(["Orders/\(number)": ["n": .integer(Int64(number))]]) }
    return firestore
  }

  /// A workspace in use: users and orders are there, and feedback of one second waits.
  private func workspace(_ firestore: MemoryFirestore) async throws -> TestWorkspace {
    let workspace = try TestWorkspace(jobs: Self.jobs, firestore: firestore)
    try workspace.fill(users: 12)
    try await workspace.run(.named(["users", "orders"]))
    for text in Self.texts { try submit(text, workspace) }
    return workspace
  }

  private func submit(_ text: String, _ workspace: TestWorkspace) throws {
    let session = try workspace.session()
    try session.updateProfile { $0.userId = "u1" }
    _ = try session.submitRating(.two, feedback: text, now: .morning)
  }

  private func upload(_ store: Store, through port: any FirestorePort) async throws {
    _ = try await OutboxUpload(
      FeedbackSender(port: port, store: store, bundleId: "com.example.app"), store: store,
      random: { 0.5 }, elapsed: { .zero }, sleep: { _ in }
    ).run(at: .morning, maxItems: 100)
  }

  /// A new machine: a workspace of the same files, whose database is the latest backup.
  private func restored(
    from folder: BackupFolder, _ firestore: MemoryFirestore
  ) async throws -> TestWorkspace {
    let temporary = try TemporaryFolder()
    let place = Workspace(root: temporary.path)
    try place.makeFolders()
    _ = try await Restore(into: place, at: .morning, sleep: { _ in })
      .perform(try folder.file(named: "latest", at: .morning + .seconds(31_536_000)))
    return try TestWorkspace(jobs: Self.jobs, firestore: firestore) { workspace in
      try FileManager.default.copyItem(atPath: place.databasePath, toPath: workspace.databasePath)
    }
  }

  /// The texts that the server has, without those of others.
  private func delivered(_ firestore: MemoryFirestore) -> [String] {
    firestore.contents(of: Self.collection).values.compactMap { fields in
      guard fields != Self.other, case .string(let text)? = fields["feedback"] else { return nil }
      return text
    }.sorted()
  }

  /// The rows that come from servers, without the times at which they came.
  private func rows(_ store: Store) throws -> [[String]] {
    try [
      "SELECT user_id || user_name || user_last_time_seen || update_time FROM OnlineUsers",
      "SELECT document_id || document FROM Orders",
      "SELECT document_path || feedback FROM app_rating_feedback",
      "SELECT feedback FROM ratings", "SELECT state || coalesce(remote_name, '') FROM outbox",
    ].map { try SQLiteFile.text(store.path, $0 + " ORDER BY 1") }
  }

  /// Runs everything as on the next day, and holds it against the servers.
  private func expectWhole(
    _ workspace: TestWorkspace, _ texts: [String], _ comment: String, comparesRows: Bool = true
  ) async throws {
    let later = Instant.morning + .seconds(86_400)
    // Where no rows are compared, the jobs that fetch them have no part.
    let jobs: JobRequest.Choice = comparesRows ? .all : .named(["outbox", "feedback"])
    for _ in 0..<2 {
      for report in try await workspace.run(jobs, at: later) {
        #expect(report.succeeded, "\(comment): \(report)")
      }
    }
    #expect(delivered(workspace.firestore) == texts.sorted(), "\(comment)")
    let rows = try rows(workspace.store)
    #expect(rows[2].count == texts.count, "\(comment)")
    #expect(rows[4].allSatisfy { $0.hasPrefix("delivered") }, "\(comment)")
    #expect(!rows[0].isEmpty && rows[1].count == 20, "\(comment)")
    guard comparesRows else { return }
    // A workspace whose disk was never lost has the same rows.
    let spared = try TestWorkspace(jobs: Self.jobs, firestore: workspace.firestore)
    try await spared.run(.named(["users", "orders"]))
    try await spared.run(.all, at: later)
    for table in 0...2 {
      #expect(try self.rows(spared.store)[table] == rows[table], "\(comment), table \(table)")
    }
  }

  @Test(arguments: calls, [false, true])
  func `a backup before, during or after an upload that dies delivers each item once`(
    death: Int, isCarriedOut: Bool
  ) async throws {
    for backupAt in 0...max(death, 1) {
      let elsewhere = try TemporaryFolder()
      let folder = BackupFolder(elsewhere.path)
      let firestore = try firestore()
      let lost = try await workspace(firestore)
      let store = lost.store
      let backUp: @Sendable () -> Void = {
        do {
          _ = try BackupMaker(folder: folder, reason: .command, now: .morning).backUp(store)
        } catch { Issue.record("\(error)") }
      }
      if backupAt == 0 { backUp() }
      let port = FaultyPort(
        firestore, failingCall: death, trouble: .cancelled, isCarriedOut: isCarriedOut,
        afterCall: { if $0 == backupAt { backUp() } })
      do { try await upload(store, through: port) } catch is CancellationError {}
      if try folder.entries().isEmpty { backUp() }
      let comment = "backup at \(backupAt), death at \(death), \(isCarriedOut)"
      let new = try await restored(from: folder, firestore)
      try await expectWhole(
        new, Self.texts, comment, comparesRows: backupAt == 0)
    }
  }

  @Test(arguments: BackupStep.allCases.prefix(4))
  func `a disk that is lost in any step of a backup leaves the one before`(
    step: BackupStep
  ) async throws {
    let elsewhere = try TemporaryFolder()
    let folder = BackupFolder(elsewhere.path(of: "backups"))
    let firestore = try firestore()
    let lost = try await workspace(firestore)
    _ = try BackupMaker(folder: folder, reason: .command, now: .morning).backUp(lost.store)
    try await upload(lost.store, through: firestore)
    try submit("What came after the first backup", lost)
    let image = elsewhere.path(of: "image")
    let maker = BackupMaker(folder: folder, reason: .command, now: .morning + .seconds(60)) {
      reached in
      guard reached == step else { return }
      do {
        try FileManager.default.copyItem(atPath: folder.path, toPath: image)
      } catch { Issue.record("\(error)") }
    }
    _ = try maker.backUp(lost.store)
    // What the lost machine still delivers is nobody's to deliver again.
    try await upload(lost.store, through: firestore)
    let new = try await restored(from: BackupFolder(image), firestore)
    let count = try new.store.read { try $0.outboxItems(limit: 10).count }
    #expect(count == (step == .finished ? 5 : 4))
    try await expectWhole(new, Self.texts + ["What came after the first backup"], "\(step)")
  }

  @Test func `a restore over a database that went on delivers nothing twice`() async throws {
    let elsewhere = try TemporaryFolder()
    let folder = BackupFolder(elsewhere.path)
    let firestore = try firestore()
    let lost = try await workspace(firestore)
    _ = try BackupMaker(folder: folder, reason: .command, now: .morning).backUp(lost.store)
    try await upload(lost.store, through: firestore)
    for round in 0..<3 {
      let new = try await restored(from: folder, firestore)
      try await expectWhole(new, Self.texts, "round \(round)")
    }
  }

  @Test func `moments that arrived after the backup are asked for by their ids`() async throws {
    let moments = try await TestMoments()
    let elsewhere = try TemporaryFolder()
    let folder = BackupFolder(elsewhere.path)
    try moments.enqueue(1...3)
    _ = try BackupMaker(folder: folder, reason: .command, now: .morning).backUp(moments.store)
    #expect(try await moments.upload().delivered == 3)
    let place = Workspace(root: elsewhere.path(of: "new"))
    try place.makeFolders()
    let outcome = try await Restore(into: place, at: .morning, sleep: { _ in })
      .perform(try folder.file(named: "latest", at: .morning + .seconds(31_536_000)))
    #expect(outcome.pendingItems == 3)
    let store = try Store.open(path: place.databasePath)
    let client = MomentsClient(
      http: HTTPClient(), baseURL: "http://\(moments.server.address)", appToken: "t0ken")
    let result = try await OutboxUpload(
      MomentSender(client: client, store: store), store: store, random: { 0.5 },
      elapsed: { .zero }, sleep: { _ in }
    ).run(at: .morning, maxItems: 10)
    #expect(result.delivered == 3)
    #expect(moments.taken == (1...3).map(TestMoments.clientId))
    try await moments.server.stop()
  }

  @Test func `events that may have arrived wait for a person`() async throws {
    let temporary = try TemporaryFolder()
    let store = try Store.open(path: temporary.path(of: "firetally.sqlite"))
    let id = try store.write {
      try $0.enqueue(.event, profile: "default", payload: "{}", at: .morning)
    }
    #expect(try store.write { try $0.markMayHaveArrived(at: .morning) } == 1)
    let client = MeasurementClient(
      http: HTTPClient(), baseURL: "http://127.0.0.1:9", firebaseAppId: "1:2:ios:3",
      apiSecret: "s3cret")
    let result = try await OutboxUpload(
      EventSender(client: client, appInstanceId: "0"), store: store, random: { 0.5 },
      elapsed: { .zero }, sleep: { _ in }
    ).run(at: .morning, maxItems: 10)
    #expect(result.parked == 1)
    #expect(try store.read { try $0.outboxItem(id: id)?.state } == .parked)
  }
}
