package import App
import Emulator
import Firestore
import Fixtures
import Foundation
package import Jobs
package import Model
package import Store
import StoreTesting
package import SyncTesting
import Synchronization
package import Workspace

/// A workspace whose jobs run in this process: a temporary database, a Firestore in memory, and a
/// clock that the test moves.
package final class TestWorkspace: Sendable {
  package let folder: Workspace
  package let store: Store
  package let firestore: MemoryFirestore
  package let services: ScriptedServices
  private let temporary: TemporaryFolder
  private let pings = Mutex<[String]>([])
  private let bodies = Mutex<[String]>([])

  /// - Parameters:
  ///   - jobs: the text of each job file, by the job's name.
  ///   - configuration: the text of `firetally.yml`.
  ///   - firestore: what Firestore holds.
  ///   - prepare: is called before the database is opened, to put one there.
  /// - Throws: what the file system or the database throws.
  package init(
    jobs: [String: String],
    configuration: String = "app: {name: Chat, bundle_id: com.example.app}\n",
    firestore: MemoryFirestore = MemoryFirestore(),
    prepare: (Workspace) throws -> Void = { _ in }
  ) throws {
    temporary = try TemporaryFolder()
    folder = Workspace(root: temporary.path)
    try folder.makeFolders()
    try temporary.write(configuration, to: "firetally.yml")
    for (name, text) in jobs { try temporary.write(text, to: "jobs/\(name).yml") }
    try prepare(folder)
    store = try NewDatabase.open(path: folder.databasePath)
    self.firestore = firestore
    services = ScriptedServices(firestore)
  }

  /// Puts so many users, a few of them flawed as real ones are, and the settings into Firestore.
  package func fill(users count: Int) throws {
    let sample = SampleApp(
      users: count, seed: 7, now: .morning, bundleId: "com.example.app")
    let prefix = firestore.root.description + "/"
    firestore.put(
      Dictionary(
        sample.documents(in: "projects/demo/databases/(default)").map {
          (String($0.name.dropFirst(prefix.count)), $0.fields)
        }
      ) { _, last in last })
  }

  package func write(_ text: String, to path: String) throws {
    try temporary.write(text, to: path)
  }

  /// Addresses that hooks have pinged, in their order.
  package var pinged: [String] { pings.withLock(\.self) }

  /// The bodies that hooks have posted, in their order.
  package var posted: [String] { bodies.withLock(\.self) }

  /// What the jobs of one command share.
  package func context(
    at clock: ManualClock, options: RunOptions = RunOptions(), services: Services? = nil
  ) throws -> JobContext {
    JobContext(
      workspace: folder, config: try folder.config(), catalog: try folder.jobs(), store: store,
      services: services ?? self.services.services(), clock: clock.jobClock, options: options)
  }

  /// The scheduler of one command.
  ///
  /// - Parameters:
  ///   - clock: the command's time.
  ///   - options: how it runs its jobs.
  ///   - services: other servers than the workspace's own.
  ///   - wait: how long it waits for the lock.
  ///   - isPatient: whether it waits that long whoever holds it.
  ///   - hookStatus: what pinged addresses answer.
  ///   - ended: is called with each job that is over, and returns what it printed.
  /// - Returns: the scheduler.
  /// - Throws: `WorkspaceError` for files that are wrong.
  package func scheduler(
    at clock: ManualClock = ManualClock(start: .morning), options: RunOptions = RunOptions(),
    services: Services? = nil, wait: Duration = .zero, isPatient: Bool = true,
    hookStatus: Int = 200,
    ended: @escaping @Sendable (JobReport) throws -> RunPrintout = { _ in RunPrintout() }
  ) throws -> JobScheduler {
    JobScheduler(
      try context(at: clock, options: options, services: services),
      hooks: HookRunner(
        workspace: folder, environment: [:],
        ping: { [self] request in
          pings.withLock { $0.append(request.url) }
          if let body = request.body {
            bodies.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
          }
          return HookAnswer(status: hookStatus)
        }, said: { _, _, _ in }, sleep: clock.jobClock.sleep),
      lock: LockRequest(
        .thisProcess(command: "firetally test", since: clock.start), wait: wait,
        isPatient: isPatient),
      ended: ended)
  }

  /// Runs jobs as a command does at an instant.
  @discardableResult
  package func run(
    _ choice: JobRequest.Choice, withNeeds: Bool = false, at now: Instant = .morning,
    options: RunOptions = RunOptions(), services: Services? = nil
  ) async throws -> [JobReport] {
    try await scheduler(at: ManualClock(start: now), options: options, services: services)
      .run(JobRequest(choice, withNeeds: withNeeds))
  }

  /// What the profile of the command does.
  package func session() throws -> ProfileSession {
    let config = try folder.config()
    return ProfileSession(
      store: store, app: config.app, profileName: Profile.defaultName,
      settings: try WorkspaceSettings.inForce(in: store, config: config), price: nil, id: "test")
  }
}
