import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// Which lists of erased people stay and count: docs/backup.md#erased-people.
@Suite struct ErasureListTests {
  @Test(arguments: [
    ("erasures-2026-01-31T080000Z.json", true), ("erasures-2026-01-31T080000Z.json.enc", true),
    ("erasures-2026-01-31T080000.000001Z.json", true),
    ("erasures-2026-01-31T080000Z.json.partial", false), ("erasures-2026-01-31T080000Z", false),
    ("erasures-2026-01-31T080000Z.json.enc.enc", false), ("erasures-notes.txt", false),
    ("erasures-2026-13-31T080000Z.json", false), ("erasures-.json", false), ("erasures-", false),
    (".erasures-2026-01-31T080000Z.json", false), ("2026-01-31T080000Z.json", false),
  ])
  func `a list has a name with its time`(name: String, isList: Bool) {
    #expect(ErasureList.isName(name) == isList)
  }

  @Test(arguments: [(300, ["ahead"]), (301, ["newer", "ahead"])])
  func `the newest list stays, beside those of more than 300 seconds ahead`(
    seconds: Int, left: [String]
  ) throws {
    let temporary = try TemporaryFolder()
    let folder = BackupFolder(temporary.path)
    let times = [
      ("older", Instant.morning), ("newer", .morning + .microseconds(1)),
      ("ahead", .morning + .seconds(60 + seconds)),
    ]
    var names: [String: String] = [:]
    for (word, time) in times {
      let before = Set(try FileContents.names(in: folder.path))
      try ErasureList.write(Erasures(key: "key", people: [:]), to: folder, .none, at: time)
      names[word] = Set(try FileContents.names(in: folder.path)).subtracting(before).first
    }
    try temporary.write("mine", to: "erasures-notes.txt")
    try ErasureList.prune(folder, at: .morning + .seconds(60))
    #expect(
      try Set(FileContents.names(in: folder.path))
        == Set(left.compactMap { names[$0] } + ["erasures-notes.txt"]))
  }

  @Test func `a list that is written after the clock went back is the one that stays`() throws {
    let temporary = try TemporaryFolder()
    let folder = BackupFolder(temporary.path)
    let (hour, morning) = (Duration.seconds(3_600), Instant.morning)
    try ErasureList.write(
      Erasures(key: "key", people: [1: morning]), to: folder, .none, at: morning + hour)
    try ErasureList.write(
      Erasures(key: "key", people: [1: morning, 2: morning]), to: folder, .none, at: morning)
    for now in [morning, morning + hour] {
      try ErasureList.prune(folder, at: now)
      let lists = try ErasureList.all(in: folder.path, .none, draft: temporary.path + "/draft")
      #expect(lists.map(\.people.count).max() == 2)
    }
    #expect(try FileContents.names(in: folder.path).count == 1)
  }

  @Test func `a list of a clock that was ahead hides nobody who is erased later`() async throws {
    let workspace = try TestWorkspace(jobs: ["maintain": "kind: maintain\n"])
    let folder = workspace.folder
    try workspace.store.merge([.numbered(4_711), .numbered(4_712)])
    try await workspace.run(.all)
    for (id, second) in [("user-4711", 86_400 * 365), ("user-4712", 1)] {
      _ = try PersonErasure(folder, try folder.jobs(), workspace.store, id: id)
        .perform(at: .morning + .seconds(second))
    }
    try workspace.write("{", to: "data/backups/erasures-2028-01-31T080000Z.json.partial")
    let target = Workspace(root: folder.path("new"))
    try target.makeFolders()
    let outcome = try await Restore(into: target, at: .morning, sleep: { _ in })
      .perform(try BackupFolder(folder.backupsFolder).file(named: "latest", at: .morning))
    #expect(outcome.knowsErasures && outcome.erasedAgain == 2)
    let store = try Store.open(path: target.databasePath, mode: .readOnly)
    #expect(try store.read { try $0.usersCount() } == 0)
  }
}
