import JobsTesting
import Fixtures
import Foundation
import Model
import StoreTesting
import Synchronization
import Testing

@testable import Workspace
@testable import Store

/// A restore, and the disk as it is after every step of a backup and of a restore.
struct RestoreTests {
  private let temporary: TemporaryFolder
  private let workspace: Workspace
  private let folder: BackupFolder

  init() throws {
    temporary = try TemporaryFolder()
    workspace = Workspace(root: temporary.path(of: "workspace"))
    folder = BackupFolder(temporary.path(of: "elsewhere"))
    try workspace.makeFolders()
  }

  /// Stores a word, and returns the open store.
  @discardableResult
  private func write(_ word: String, to workspace: Workspace? = nil) throws -> Store {
    let store = try Store.open(path: (workspace ?? self.workspace).databasePath)
    try store.write { writer in
      try writer.setMark(word, named: "word")
      for number in 0..<200 { try writer.setMark("\(word) \(number)", named: "\(number)") }
    }
    return store
  }

  /// The word, held against all rows; nil where there is no database.
  private func word(in workspace: Workspace) throws -> String? {
    guard access(workspace.databasePath, F_OK) == 0 else { return nil }
    let store = try Store.open(path: workspace.databasePath)
    defer { close(store) }
    try store.checkIntegrity()
    return try store.read { reader in
      let word = try reader.mark(named: "word")
      for number in 0..<200 {
        let row = try reader.mark(named: "\(number)")
        #expect(row == word.map { "\($0) \(number)" })
      }
      return word
    }
  }

  @Test func `a person who was erased after the backup stays erased, and so does the key`()
    async throws
  {
    let store = try write("then")
    let backup = try backUp(store)
    try store.write { writer in
      try writer.setErasureKey("key")
      try writer.noteErased(hash: 7, at: .morning)
    }
    try store.close()
    _ = try await Restore(into: workspace, at: .morning, sleep: { _ in }).perform(backup)
    let restored = try Store.open(path: workspace.databasePath)
    defer { close(restored) }
    let erasures = try restored.read { try $0.erasures() }
    #expect(erasures?.key == "key" && erasures?.people == [7: .morning])
    #expect(try restored.read { try $0.mark(named: "word") } == "then")
  }

  @Test func `what was noted about feedback comes back`() async throws {
    let store = try write("then")
    try store.write { writer in
      let item = try writer.enqueue(.feedback, profile: "p", payload: "{}", at: .morning)
      try writer.record(
        RatingRecord(
          profile: "p", userId: "u", gender: "Male", country: "Peru", appVersion: "2", stars: 2,
          feedback: "It crashes", at: .morning, tries: 1, outboxId: item))
      try writer.setTheme(.chosen("crash"), ofFeedback: "own/1", at: .morning)
      try writer.setDone(true, feedback: "own/1", at: .morning)
    }
    let backup = try backUp(store)
    try store.write { writer in
      try writer.setTheme(.byWords, ofFeedback: "own/1", at: .morning)
      try writer.setDone(false, feedback: "own/1", at: .morning)
    }
    try store.close()
    _ = try await Restore(into: workspace, at: .morning, sleep: { _ in }).perform(backup)
    let restored = try Store.open(path: workspace.databasePath)
    defer { close(restored) }
    let entry = try restored.read { try $0.feedbackEntries(named: "own/1") }.first
    #expect(entry?.mark == FeedbackMark(theme: .chosen("crash"), doneAt: .morning))
  }

  @Test func `a newer schema still says who was erased`() async throws {
    let store = try write("then")
    let backup = try backUp(store)
    try store.write { writer in
      try writer.setErasureKey("key")
      try writer.noteErased(hash: 7, at: .morning)
    }
    try store.close()
    let newer = Store.schemaVersion + 1
    try SQLiteFile.execute(workspace.databasePath, "PRAGMA user_version = \(newer)")
    let outcome = try await restore(backup)
    #expect(outcome.knowsErasures)
    let restored = try Store.open(path: workspace.databasePath)
    defer { close(restored) }
    #expect(try restored.read { try $0.erasures() }?.people == [7: .morning])
  }

  @Test(arguments: [nil, "", "no database at all"])
  func `without a database that can be read, nobody knows who was erased`(
    present: String?
  ) async throws {
    let store = try write("then")
    let backup = try backUp(store)
    try store.close()
    try FileManager.default.removeItem(atPath: workspace.databasePath)
    if let present { try Data(present.utf8).write(to: URL(filePath: workspace.databasePath)) }
    #expect(try await restore(backup).knowsErasures == false)
  }

  private func close(_ store: Store) {
    do { try store.close() } catch { Issue.record("\(error)") }
  }

  private func backUp(
    _ store: Store, reached: @escaping @Sendable (BackupStep) -> Void = { _ in }
  ) throws -> String {
    let manifest = try BackupMaker(
      folder: folder, reason: .command, now: .morning, reached: reached
    )
    .backUp(store)
    return "\(folder.path)/\(manifest.file)"
  }

  private func restore(
    _ backup: String, into target: Workspace? = nil, at now: Instant = .morning,
    project: String? = nil, reached: @escaping @Sendable (BackupStep) -> Void = { _ in }
  ) async throws -> Restore.Outcome {
    try await Restore(
      into: target ?? workspace, at: now, sleep: { _ in }, reached: reached
    ).perform(backup, project: project)
  }

  /// A copy of the disk after each step, as a machine that loses its power would find it.
  private final class DiskImages: Sendable {
    private let source: String
    private let target: String
    private let steps = Mutex<[(BackupStep, Workspace)]>([])

    init(of source: String, in target: String) {
      (self.source, self.target) = (source, target)
    }

    func take(_ step: BackupStep) {
      let path = "\(target)-\(step.rawValue)"
      do {
        try FileManager.default.copyItem(atPath: source, toPath: path)
        steps.withLock { $0.append((step, Workspace(root: path))) }
      } catch {
        Issue.record("\(error)")
      }
    }

    var all: [(step: BackupStep, workspace: Workspace)] {
      steps.withLock { $0.map { (step: $0.0, workspace: $0.1) } }
    }
  }

  @Test func `a backup takes the place of the database, which is kept`() async throws {
    let backup = try backUp(try write("old"))
    close(try write("new"))
    let outcome = try await restore(backup)
    #expect(try word(in: workspace) == "old")
    let kept = try #require(outcome.kept)
    #expect(kept == workspace.databasePath + ".before-restore-2026-01-31T080000Z")
    #expect(try SQLiteFile.text(kept, "SELECT value FROM marks WHERE name = 'word'") == ["new"])
    close(try write("newer"))
    let again = try await restore(backup)
    #expect(again.kept == kept + "-2")
    #expect(
      try SQLiteFile.text(kept + "-2", "SELECT value FROM marks WHERE name = 'word'") == ["newer"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.dataFolder)
        .filter { $0.hasSuffix(".tmp") || $0.contains("tmp-") }.isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: workspace.databasePath)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `without a database there is nothing to keep, and an orphaned log goes`() async throws
  {
    let backup = try backUp(try write("old"))
    let other = Workspace(root: temporary.path(of: "other"))
    try other.makeFolders()
    for suffix in ["-wal", "-shm", "-journal"] {
      try Data("a log of another database".utf8)
        .write(to: URL(filePath: other.databasePath + suffix))
    }
    let outcome = try await restore(backup, into: other)
    #expect(outcome.kept == nil)
    #expect(try word(in: other) == "old")
  }

  @Test func `the log of a killed process is part of what is kept`() async throws {
    let backup = try backUp(try write("old"))
    let running = try write("new")
    let other = Workspace(root: temporary.path(of: "other"))
    try FileManager.default.copyItem(atPath: workspace.root, toPath: other.root)
    close(running)
    #expect(access(other.databasePath + "-wal", F_OK) == 0)
    let outcome = try await restore(backup, into: other)
    #expect(try word(in: other) == "old")
    let kept = try #require(outcome.kept)
    #expect(try SQLiteFile.text(kept, "SELECT value FROM marks WHERE name = 'word'") == ["new"])
  }

  @Test func `a database that cannot be opened is kept with its log`() async throws {
    let backup = try backUp(try write("old"))
    let other = Workspace(root: temporary.path(of: "other"))
    try other.makeFolders()
    try Data(repeating: 7, count: 40_000).write(to: URL(filePath: other.databasePath))
    try Data("its log".utf8).write(to: URL(filePath: other.databasePath + "-wal"))
    let images = DiskImages(of: other.root, in: temporary.path(of: "image"))
    let outcome = try await restore(backup, into: other, reached: images.take)
    #expect(try word(in: other) == "old")
    let kept = try #require(outcome.kept)
    #expect(try Data(contentsOf: URL(filePath: kept)) == Data(repeating: 7, count: 40_000))
    #expect(try Data(contentsOf: URL(filePath: kept + "-wal")) == Data("its log".utf8))
    for (step, image) in images.all {
      #expect(try await restore(backup, into: image).check.problems.isEmpty, "\(step)")
      #expect(try word(in: image) == "old", "\(step)")
    }
  }

  @Test func `a database that another process has open is not replaced`() async throws {
    let store = try write("old")
    let backup = try backUp(store)
    try store.write { try $0.setMark("new", named: "word") }
    await expectRefusal(
      .tryLater, "Another process has the database \(workspace.databasePath) open, so it was not "
    ) { try await restore(backup) }
    #expect(try store.read { try $0.mark(named: "word") } == "new")
  }

  @Test func `a damaged backup, and one of another project, change nothing`() async throws {
    let store = try write("old")
    try store.write { try $0.setMark("demo", named: "origin") }
    let backup = try backUp(store)
    close(try write("new"))
    close(store)
    await expectRefusal(
      .configuration,
      "The backup \(backup) holds data of the project 'demo', and this workspace belongs to 'real'. "
    ) { try await restore(backup, project: "real") }
    truncate(backup, 500)
    await expectRefusal(.badData, "The backup \(backup) is damaged: ") {
      try await restore(backup)
    }
    #expect(try word(in: workspace) == "new")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.dataFolder).sorted()
        == ["firetally.sqlite", "rejects"])
  }

  @Test func `a backup of a newer program is refused with its version`() async throws {
    close(try write("new"))
    let newer = temporary.path(of: "firetally-2026-01-01T080000Z.sqlite")
    try FileManager.default.copyItem(atPath: workspace.databasePath, toPath: newer)
    try SQLiteFile.execute(
      newer, "PRAGMA journal_mode = DELETE; PRAGMA user_version = \(Store.schemaVersion + 1)")
    await expectRefusal(
      .configuration,
      "The backup \(newer) has schema \(Store.schemaVersion + 1), and this firetally knows schemas "
        + "up to \(Store.schemaVersion). Nothing was changed. Install firetally as new as the one "
        + "that wrote it. Then restore again."
    ) { try await restore(newer) }
    #expect(try word(in: workspace) == "new")
  }

  @Test func `a backup of a program between two releases is refused`() async throws {
    close(try write("new"))
    let draft = temporary.path(of: "firetally-2026-01-01T080000Z.sqlite")
    try FileManager.default.copyItem(atPath: workspace.databasePath, toPath: draft)
    // Between those of 0.1.0, 23, and 0.2.0, 30.
    let schema = 29
    try SQLiteFile.execute(draft, "PRAGMA journal_mode = DELETE; PRAGMA user_version = \(schema)")
    await expectRefusal(
      .configuration,
      "The backup \(draft) has schema \(schema), of an early development build, which cannot "
    ) { try await restore(draft) }
    #expect(try word(in: workspace) == "new")
  }

  @Test func `losing power in any step of a backup leaves it whole or unseen`() throws {
    let store = try write("old")
    let earlier = try backUp(store)
    let images = DiskImages(of: folder.path, in: temporary.path(of: "image"))
    let last = try backUp(store, reached: images.take)
    #expect(images.all.map(\.step) == [.copied, .compressed, .placed, .finished])
    for (step, image) in images.all {
      let entries = try BackupFolder(image.root).entries()
      #expect(entries.count == (step == .finished ? 2 : 1), "\(step)")
      let name = (step == .finished ? last : earlier).split(separator: "/").last ?? ""
      #expect(
        try BackupFolder(image.root).file(named: "latest", at: .morning + .seconds(31_536_000))
          == "\(image.root)/\(name)")
      for entry in entries {
        let check = try BackupCheck(entry.path, expandingIn: temporary.path)
        #expect(check.problems.isEmpty, "\(step)")
      }
    }
  }

  @Test func `losing power in any step of a restore leaves the old database or the new one`()
    async throws
  {
    let backup = try backUp(try write("old"))
    close(try write("new"))
    // A log that holds the last changes, as after a kill.
    let running = try write("newer")
    let killed = Workspace(root: temporary.path(of: "killed"))
    try FileManager.default.copyItem(atPath: workspace.root, toPath: killed.root)
    close(running)
    let images = DiskImages(of: killed.root, in: temporary.path(of: "image"))
    _ = try await restore(backup, into: killed, reached: images.take)
    #expect(
      images.all.map(\.step)
        == [.unpacked, .prepared, .logEmptied, .presentKept, .logRemoved, .replaced])
    for (step, image) in images.all {
      let twin = Workspace(root: image.root + "-twin")
      try FileManager.default.copyItem(atPath: image.root, toPath: twin.root)
      #expect(try word(in: twin) == (step == .replaced ? "old" : "newer"), "\(step)")
      // Whoever writes to it before the restore is repeated loses nothing either.
      close(try write("newest", to: twin))
      for again in [image, twin] {
        let outcome = try await restore(backup, into: again, at: .morning + .seconds(60))
        #expect(try word(in: again) == "old", "\(step)")
        let kept = try SQLiteFile.text(
          try #require(outcome.kept), "SELECT value FROM marks WHERE name = 'word'")
        let expected = again == twin ? "newest" : step == .replaced ? "old" : "newer"
        #expect(kept == [expected], "\(step)")
      }
    }
  }

  @Test func `a copy of an older schema is brought to this program's`() async throws {
    let plain = temporary.path(of: "firetally-2026-01-01T080000Z.sqlite")
    try ReleasedDatabase.make(at: plain)
    close(try write("new"))
    #expect(try await restore(plain).check.inspection?.schema == ReleasedDatabase.schema)
    let store = try Store.open(path: workspace.databasePath, mode: .readOnly)
    #expect(try store.read { try $0.mark(named: "word") } == "old")
  }
}
