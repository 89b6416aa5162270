import Fixtures
import Model
import Store
import StoreTesting
import Testing

@testable import Workspace

/// A database belongs to a project once it holds data of it, and not before.
struct WorkspaceOriginTests {
  private let first = WorkspaceOrigin(project: "first")
  private let second = WorkspaceOrigin(project: "second")

  private func fill(_ store: Store) throws {
    try store.write { writer in
      let setting = FetchedSetting(
        wireName: "freeRefreshLimit", rawValue: "2", source: .appSettings, fetchedAt: .morning)
      try writer.record(fetched: [setting], from: .appSettings, at: .morning)
    }
  }

  @Test func `an empty database is claimed, again and by another project`() throws {
    let temporary = try TemporaryStore()
    #expect(try WorkspaceOrigin.stored(in: temporary.store) == nil)
    try first.claim(temporary.store, at: temporary.path)
    try first.claim(temporary.store, at: temporary.path)
    #expect(try WorkspaceOrigin.stored(in: temporary.store) == first)
    #expect(try second.replacesOther(in: temporary.store))
    #expect(try !first.replacesOther(in: temporary.store))
    try second.claim(temporary.store, at: temporary.path)
    #expect(try WorkspaceOrigin.stored(in: temporary.store) == second)
  }

  @Test func `one that holds data refuses another project, and stays as it is`() throws {
    let temporary = try TemporaryStore()
    try first.claim(temporary.store, at: temporary.path)
    try fill(temporary.store)
    let refusal = WorkspaceError.otherProject(
      path: temporary.path, stored: "first", asked: "second")
    #expect(throws: refusal) { try second.claim(temporary.store, at: temporary.path) }
    #expect(throws: refusal) { try second.check(temporary.store, at: temporary.path) }
    #expect(throws: Never.self) { try first.check(temporary.store, at: temporary.path) }
    #expect(try !second.replacesOther(in: temporary.store))
    #expect(try WorkspaceOrigin.stored(in: temporary.store) == first)
  }
}
