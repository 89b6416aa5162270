import Fixtures
import Foundation
import Glibc
import Model
import Synchronization
import Testing

@testable import Workspace

struct WorkspaceLockTests {
  private let folder: TemporaryFolder
  private var workspace: Workspace { Workspace(root: folder.path) }
  private static let owner = LockOwner(
    pid: 123, host: "mars", since: Instant(unixSeconds: 60), command: "firetally run --all")

  init() throws {
    folder = try TemporaryFolder()
    try workspace.makeFolders()
  }

  private func acquire(
    wait: Duration = .zero,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in
      Issue.record("nothing to wait for")
    }
  ) async throws -> WorkspaceLock {
    try await WorkspaceLock.acquire(workspace, for: Self.owner, wait: wait, sleep: sleep)
  }

  @Test func `a held lock names its holder at once when nobody wants to wait`() async throws {
    let lock = try await acquire()
    await #expect(throws: WorkspaceError.lockHeld(by: Self.owner, waited: .zero)) {
      try await acquire()
    }
    lock.release()
  }

  @Test(arguments: [true, false])
  func `a lock that leads to another file is refused, and the file stays`(
    isSymbolic: Bool
  ) async throws {
    try folder.write("precious", to: "target")
    let lock = workspace.lockPath
    let status =
      isSymbolic
      ? symlink(folder.path(of: "target"), lock) : link(folder.path(of: "target"), lock)
    try #require(status == 0)
    let failure = FileFailure(action: "lock", path: lock, code: isSymbolic ? ELOOP : EMLINK)
    await #expect(throws: WorkspaceError.file(failure)) { try await acquire() }
    #expect(try folder.text(of: "target") == "precious")
    #expect("\(failure)".hasSuffix("Another file would be written over: move the link away."))
  }

  @Test func `a lock does not make the file that a link leads to`() async throws {
    try #require(symlink(folder.path(of: "nothing"), workspace.lockPath) == 0)
    await #expect(throws: WorkspaceError.self) { try await acquire() }
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "nothing")))
  }

  @Test func `a released lock is free, and releasing twice does nothing`() async throws {
    let first = try await acquire()
    first.release()
    first.release()
    let second = try await acquire()
    first.release()
    await #expect(throws: WorkspaceError.self) { try await acquire() }
    second.release()
  }

  @Test func `a lock that nothing refers to is free`() async throws {
    _ = try await acquire()
    try await acquire().release()
  }

  @Test(arguments: [(250, [100, 100, 50]), (100, [100]), (1, [1])])
  func `waiting ends after exactly the wait`(wait: Int, pauses: [Int]) async throws {
    let lock = try await acquire()
    let slept = Mutex<[Duration]>([])
    let sleep: @Sendable (Duration) async throws -> Void = { pause in
      slept.withLock { $0.append(pause) }
    }
    await #expect(
      throws: WorkspaceError.lockHeld(by: Self.owner, waited: .milliseconds(wait))
    ) { try await acquire(wait: .milliseconds(wait), sleep: sleep) }
    #expect(slept.withLock { $0 } == pauses.map { .milliseconds($0) })
    lock.release()
  }

  @Test func `others are told which job the holder is at, and since when`() async throws {
    let lock = try await acquire()
    let now = Instant(unixSeconds: 120)
    try lock.begin(job: "events", timeout: .seconds(90), at: now)
    var owner = Self.owner
    owner.begin(job: "events", timeout: .seconds(90), at: now)
    await #expect(throws: WorkspaceError.lockHeld(by: owner, waited: .zero)) { try await acquire() }
    #expect(
      owner.holding == LockRule.Holding(jobs: [], since: now, timeout: .seconds(90)))
    #expect(Self.owner.holding.since == Self.owner.since && Self.owner.holding.timeout == nil)
    lock.release()
    try lock.begin(job: "events", timeout: .seconds(90), at: now)
    #expect(FileManager.default.contents(atPath: workspace.lockPath)?.isEmpty == true)
  }

  @Test func `nobody waits longer than it is worth`() async throws {
    let lock = try await acquire()
    let asked = Mutex<[Duration]>([])
    await #expect(
      throws: WorkspaceError.lockHeld(by: Self.owner, waited: .milliseconds(200))
    ) {
      try await WorkspaceLock.acquire(
        workspace, for: Self.owner, wait: .seconds(60),
        isWorthWaiting: { owner, waited in
          asked.withLock { $0.append(waited) }
          return owner == nil || waited < .milliseconds(200)
        }, sleep: { _ in })
    }
    #expect(asked.withLock { $0 } == [0, 100, 200].map { .milliseconds($0) })
    lock.release()
  }

  @Test func `a lock that becomes free while waiting is taken`() async throws {
    let lock = try await acquire()
    let second = try await acquire(wait: .seconds(10)) { _ in lock.release() }
    await #expect(throws: WorkspaceError.self) { try await acquire() }
    second.release()
  }

  @Test func `a wait can be cancelled`() async throws {
    let lock = try await acquire()
    await #expect(throws: CancellationError.self) {
      try await acquire(wait: .seconds(10)) { _ in throw CancellationError() }
    }
    lock.release()
  }

  @Test func `who only looks at the lock holds up nobody`() async throws {
    try await acquire().release()
    let looker = try FileDescriptor.open(workspace.lockPath, O_RDONLY, to: "read")
    #expect(flock(looker.number, LOCK_SH) == 0)
    let slept = Mutex<[Duration]>([])
    let lock = try await acquire { pause in
      slept.withLock { $0.append(pause) }
      flock(looker.number, LOCK_UN)
    }
    #expect(slept.withLock { $0 } == [.milliseconds(1)])
    #expect(try WorkspaceLock.isHeld(workspace))
    lock.release()
    #expect(try !WorkspaceLock.isHeld(workspace))
  }

  @Test func `a shared lock that stays is one that is held`() async throws {
    try await acquire().release()
    let other = try FileDescriptor.open(workspace.lockPath, O_RDONLY, to: "read")
    #expect(flock(other.number, LOCK_SH) == 0)
    await #expect(throws: WorkspaceError.lockHeld(by: nil, waited: .zero)) {
      try await acquire { _ in }
    }
    flock(other.number, LOCK_UN)
  }

  @Test func `who has just taken the lock is named, once it has written its name`() async throws {
    try await acquire().release()
    let other = try FileDescriptor.open(workspace.lockPath, O_RDWR, to: "write")
    #expect(flock(other.number, LOCK_EX) == 0)
    await #expect(throws: WorkspaceError.lockHeld(by: Self.owner, waited: .zero)) {
      try await acquire { _ in
        let bytes = Array(Self.owner.json)
        #expect(pwrite(other.number, bytes, bytes.count, 0) == bytes.count)
      }
    }
    flock(other.number, LOCK_UN)
  }

  @Test func `of many at once exactly one gets it`() async throws {
    let locks = await withTaskGroup(of: WorkspaceLock?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          // The others wait a moment for the name of the one that has it.
          do { return try await self.acquire { _ in } } catch { return nil }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(locks.compactMap(\.self).count == 1)
  }

  @Test func `a file that was replaced under the lock does not lock twice`() async throws {
    let lock = try await acquire()
    try FileManager.default.removeItem(atPath: workspace.lockPath)
    let second = try await acquire()
    await #expect(throws: WorkspaceError.self) { try await acquire() }
    lock.release()
    await #expect(throws: WorkspaceError.self) { try await acquire() }
    second.release()
  }

  @Test func `another process holds the lock until it dies, and not longer`() async throws {
    let other = try LockingProcess(path: workspace.lockPath)
    let slept = Mutex<[Duration]>([])
    let sleep: @Sendable (Duration) async throws -> Void = { pause in
      slept.withLock { $0.append(pause) }
    }
    await #expect(throws: WorkspaceError.lockHeld(by: nil, waited: .zero)) {
      try await acquire(sleep: sleep)
    }
    try folder.write("not JSON", to: "data/firetally.lock")
    await #expect(throws: WorkspaceError.lockHeld(by: nil, waited: .zero)) {
      try await acquire(sleep: sleep)
    }
    // A holder without a name may be about to write it: a moment is waited, each time.
    let glances = 2 * WorkspaceLock.glance.count
    #expect(slept.withLock { $0 } == Array(repeating: .milliseconds(1), count: glances))
    other.killHard()
    try await acquire().release()
  }

  @Test func `a child process does not inherit the lock`() async throws {
    let lock = try await acquire()
    let child = Process()
    child.executableURL = URL(filePath: "/bin/sleep")
    child.arguments = ["60"]
    try child.run()
    lock.release()
    try await acquire().release()
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
  }

  @Test func `without its folder there is no lock, and the error says so`() async throws {
    try FileManager.default.removeItem(atPath: workspace.dataFolder)
    await #expect(
      throws: WorkspaceError.file(
        FileFailure(action: "lock", path: workspace.lockPath, code: ENOENT))
    ) { try await acquire() }
  }

  @Test(.enabled("root may write anywhere") { geteuid() != 0 })
  func `a read-only folder is an error that says so`() async throws {
    chmod(workspace.dataFolder, 0o500)
    defer { chmod(workspace.dataFolder, 0o700) }
    await #expect(
      throws: WorkspaceError.file(
        FileFailure(action: "lock", path: workspace.lockPath, code: EACCES))
    ) { try await acquire() }
  }

  @Test func `this process knows its own name`() throws {
    let owner = LockOwner.thisProcess(command: "firetally run", since: Instant(unixSeconds: 0))
    #expect(owner.pid == getpid())
    #expect(!owner.host.isEmpty)
    #expect(try JSONDecoder().decode(LockOwner.self, from: owner.json) == owner)
  }
}

/// A process that holds a lock until it is killed.
private final class LockingProcess {
  private let process = Process()

  init(path: String) throws {
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["flock", "-F", path, "sh", "-c", "echo held; exec sleep 600"]
    process.standardOutput = pipe
    try process.run()
    #expect(!pipe.fileHandleForReading.availableData.isEmpty)
  }

  func killHard() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit {
    if process.isRunning { killHard() }
  }
}
