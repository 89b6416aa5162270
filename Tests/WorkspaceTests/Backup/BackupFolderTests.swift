import JobsTesting
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Synchronization
import Testing

@testable import Workspace

/// What is in a folder of backups, and what goes.
struct BackupFolderTests {
  private let temporary: TemporaryFolder
  private let folder: BackupFolder
  private let store: Store

  init() throws {
    temporary = try TemporaryFolder()
    folder = BackupFolder(temporary.path(of: "backups"))
    store = try NewDatabase.open(path: temporary.path(of: "firetally.sqlite"))
  }

  @discardableResult
  private func make(
    _ time: String = "2026-01-31T08:00:00Z", _ reason: BackupManifest.Reason = .command
  ) throws -> BackupManifest {
    let now = try #require(Instant(iso8601: time))
    return try BackupMaker(folder: folder, reason: reason, now: now).backUp(store)
  }

  private func names() throws -> [String] { try folder.entries().map(\.name) }

  private func write(_ text: String, to name: String) throws {
    try temporary.write(text, to: "backups/\(name)")
  }

  @Test func `a folder that is missing has no backups, and latest says what to do`() throws {
    #expect(try folder.entries().isEmpty)
    expectRefusal(.usage, "There is no backup in \(folder.path). Make one with ") {
      try folder.file(named: "latest", at: .morning + .seconds(31_536_000))
    }
  }

  @Test func `compressing tells how far it is, up to the size of the database`() throws {
    let events = Mutex<[WorkObserver.Event]>([])
    let observer = WorkObserver { event in events.withLock { $0.append(event) } }
    let manifest = try BackupMaker(
      folder: folder, reason: .command, now: .morning, observer: observer
    ).backUp(store)
    let told = events.withLock(\.self)
    let size = Int(manifest.databaseBytes / 1_000)
    #expect(told.first == .began(title: "backup", unit: "kB", total: size))
    #expect(told.last == .ended)
    let done = told.map { event in
      if case .advanced(let count, _, _, _) = event { count } else { 0 }
    }
    #expect(done.reduce(0, +) == size)
  }

  @Test func `a backup is private, and its manifest says what it holds`() throws {
    try store.write { try $0.setMark("demo", named: "origin") }
    let manifest = try make()
    #expect(manifest.file == "firetally-2026-01-31T080000Z.sqlite.gz")
    #expect(manifest.reason == .command && manifest.project == "demo")
    #expect(manifest.schema == Store.schemaVersion && manifest.firetally == ProgramVersion.current)
    #expect(manifest.counts["events"] == 0 && manifest.counts["marks"] == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == [manifest.file, manifest.file + ".json"])
    let path = "\(folder.path)/\(manifest.file)"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int64 == manifest.bytes)
    let ofFolder = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(ofFolder[.posixPermissions] as? Int == 0o700)
    let entry = try #require(try folder.entries().first)
    #expect(entry.manifest == .matches && entry.isWhole && entry.schema == manifest.schema)
  }

  @Test func `backups of one second have names of their own`() throws {
    for _ in 0..<3 { try make() }
    #expect(
      try names() == [
        "firetally-2026-01-31T080000.000002Z.sqlite.gz",
        "firetally-2026-01-31T080000.000001Z.sqlite.gz", "firetally-2026-01-31T080000Z.sqlite.gz",
      ])
  }

  @Test func `the list is by time, and has the copies of earlier versions`() throws {
    try make("2026-01-30T08:00:00Z")
    try make("2026-01-31T08:00:00Z")
    try store.backUp(to: folder.path + "/firetally-2026-01-29T080000Z.sqlite")
    try store.backUp(to: folder.path + "/firetally-2026-01-31T070000Z.sqlite")
    try write("mine", to: "notes.txt")
    let entries = try folder.entries()
    #expect(
      entries.map(\.createdAt.iso8601) == [
        "2026-01-31T08:00:00Z", "2026-01-31T07:00:00Z", "2026-01-30T08:00:00Z",
        "2026-01-29T08:00:00Z",
      ])
    #expect(entries.map(\.manifest) == [.matches, .none, .matches, .none])
    #expect(entries.allSatisfy { $0.schema == Store.schemaVersion })
    #expect(
      try folder.file(named: "latest", at: .morning + .seconds(31_536_000)) == entries[0].path)
  }

  @Test func `a file of another size is listed, and is not the latest`() throws {
    let good = try make("2026-01-30T08:00:00Z")
    let cut = try make("2026-01-31T08:00:00Z")
    truncate("\(folder.path)/\(cut.file)", off_t(cut.bytes - 1))
    #expect(try folder.entries().map(\.manifest) == [.differs, .matches])
    #expect(try folder.brokenSinceLatest().map(\.name) == [cut.file])
    let older = try make("2026-01-29T08:00:00Z")
    truncate("\(folder.path)/\(older.file)", off_t(older.bytes - 1))
    #expect(try folder.brokenSinceLatest().map(\.name) == [cut.file])
    truncate("\(folder.path)/\(older.file)", off_t(older.bytes))
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(older.file)")
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(older.file).json")
    #expect(
      try folder.file(named: "latest", at: .morning + .seconds(31_536_000))
        == "\(folder.path)/\(good.file)")
    try write("{}", to: cut.file + ".json")
    #expect(try folder.entries().map(\.manifest) == [.unreadable, .matches])
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(cut.file).json")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(cut.file).json", withIntermediateDirectories: false)
    #expect(try folder.entries().map(\.manifest) == [.unreadable, .matches])
    #expect(
      try folder.file(named: "latest", at: .morning + .seconds(31_536_000))
        == "\(folder.path)/\(good.file)")
  }

  @Test func `a file without its manifest was never finished`() throws {
    let manifest = try make()
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(manifest.file).json")
    #expect(try folder.entries().isEmpty)
    #expect(throws: WorkspaceError.self) {
      try folder.file(named: "latest", at: .morning + .seconds(31_536_000))
    }
    // Who names it can have it.
    #expect(
      try folder.file(named: manifest.file, at: .morning + .seconds(31_536_000))
        == "\(folder.path)/\(manifest.file)")
  }

  @Test func `a file that is missing is named`() {
    expectRefusal(.usage, "There is no backup none. `firetally backup list` lists ") {
      try folder.file(named: "none", at: .morning + .seconds(31_536_000))
    }
  }

  @Test func `what the policy does not keep goes with its manifest, all else stays`() throws {
    for time in ["2026-01-29T08:00:00Z", "2026-01-30T08:00:00Z", "2026-01-30T09:00:00Z"] {
      try make(time)
    }
    try store.backUp(to: folder.path + "/firetally-2026-01-28T080000Z.sqlite")
    for name in ["notes.txt", "firetally-mine.sqlite", "mine.json"] { try write("mine", to: name) }
    try folder.prune(
      keeping: RetentionPolicy(daily: 2), timeZone: "UTC", at: .morning + .seconds(86_400))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "firetally-2026-01-29T080000Z.sqlite.gz", "firetally-2026-01-29T080000Z.sqlite.gz.json",
        "firetally-2026-01-30T090000Z.sqlite.gz", "firetally-2026-01-30T090000Z.sqlite.gz.json",
        "firetally-mine.sqlite", "mine.json", "notes.txt",
      ])
  }

  @Test func `a damaged backup keeps no day, and stays to be looked at`() throws {
    let good = try make("2026-01-31T08:00:00Z")
    let cut = try make("2026-01-31T09:00:00Z")
    truncate("\(folder.path)/\(cut.file)", 10)
    try folder.prune(
      keeping: RetentionPolicy(daily: 1), timeZone: "UTC", at: .morning + .seconds(86_400))
    #expect(try names() == [cut.file, good.file])
  }

  @Test func `a backup dated more than 300 seconds ahead keeps no day, and stays`() throws {
    let earlier = try make("2026-01-31T08:00:00Z")
    let ahead = try make("2027-01-31T08:05:00Z")
    let now = try #require(Instant(iso8601: "2027-01-31T08:00:00Z"))
    let policy = RetentionPolicy(daily: 1)
    let justBefore = now - .microseconds(1)
    #expect(
      try folder.file(named: "latest", at: justBefore) == "\(folder.path)/\(earlier.file)")
    #expect(try folder.file(named: "latest", at: now) == "\(folder.path)/\(ahead.file)")
    try folder.prune(keeping: policy, timeZone: "UTC", at: justBefore)
    #expect(try names() == [ahead.file, earlier.file])
    try folder.prune(keeping: policy, timeZone: "UTC", at: now)
    #expect(try names() == [ahead.file])
  }

  @Test func `what dying left goes, unless a backup is being made`() throws {
    let left = [
      "firetally-2026-01-01T080000Z.sqlite.gz", "firetally-2026-01-02T080000Z.sqlite.gz.json",
      "firetally-2026-01-03T080000Z.sqlite.part",
    ]
    try FileContents.makeFolder(folder.path)
    for name in left { try write("half", to: name) }
    let making = try #require(try BackupFolderLock(folder.path, isExclusive: false))
    try folder.prune(
      keeping: RetentionPolicy(daily: 1), timeZone: "UTC", at: .morning + .seconds(86_400))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == left)
    making.release()
    try folder.prune(
      keeping: nil, timeZone: "UTC", at: .morning + .seconds(86_400))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a damaged database is not backed up`() throws {
    try store.write { writer in
      for number in 0..<30_000 { try writer.setMark("\(number)", named: "name \(number)") }
    }
    try store.optimize()
    try store.close()
    let file = try FileHandle(forUpdating: URL(filePath: store.path))
    let size = try file.seekToEnd()
    // The rows fill most of the file; what opening reads is at its ends.
    try file.seek(toOffset: size / 2 / 16_384 * 16_384)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 2 * 16_384))
    try file.close()
    let damaged = try Store.open(path: store.path)
    #expect {
      try BackupMaker(folder: folder, reason: .command, now: .morning).backUp(damaged)
    } throws: { error in
      guard case StoreError.corrupt(damaged.path, _)? = error as? StoreError else { return false }
      return true
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a folder that cannot be made is an error with its name`() throws {
    let missing = BackupFolder(temporary.path(of: "a/b"))
    #expect {
      try BackupMaker(folder: missing, reason: .command, now: .morning).backUp(store)
    } throws: { error in
      "\(error)".contains(missing.path)
    }
  }
}
