import JobsTesting
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Store
@testable import Sync
@testable import Workspace

@Suite struct TableChangesTests {
  private let wanted = SyncTable.collection(
    name: "Orders", columns: [.init("total", .real)], hasDocument: false)
  private let registration = TableRegistration(
    source: "the collection Orders", columns: ["total": "total REAL"])

  /// The stored table when it is up to date, with a change.
  private func plan(
    _ change: (inout StoredTable) -> Void = { _ in }
  ) throws -> TableChanges {
    var stored = StoredTable(
      registration: registration, columns: wanted.columns + [.init("synced_at", .integer)])
    change(&stored)
    return try TableChanges(wanted, as: registration, stored: stored)
  }

  @Test func `without a table, one is made`() throws {
    let plan = try TableChanges(wanted, as: registration, stored: nil)
    #expect(plan.isNew)
    #expect(plan.columns.isEmpty && plan.changes.isEmpty && !plan.refills)
  }

  @Test func `a table that is as declared stays as it is`() throws {
    let plan = try plan()
    #expect(!plan.isNew && plan.columns.isEmpty && plan.changes.isEmpty && !plan.refills)
  }

  @Test func `a column that is missing is added, and rows are written anew`() throws {
    let plan = try plan { $0.columns.removeAll { $0.name == "total" } }
    #expect(plan.columns == ColumnChanges(added: [.init("total", .real)]))
    #expect(plan.changes.map(\.description) == ["Orders.total: added, total REAL"])
    #expect(plan.refills)
  }

  @Test func `SQLite's names have no capitals`() throws {
    let plan = try plan { stored in
      stored.columns = stored.columns.map { .init($0.name.uppercased(), $0.type) }
      stored.registration?.columns = ["TOTAL": "total REAL"]
    }
    #expect(plan.columns.isEmpty && plan.changes.isEmpty && !plan.refills)
  }

  @Test
  func `a column that another field fills now makes rows be written anew, in its place`() throws {
    let plan = try plan { $0.registration?.columns["total"] = "sum REAL" }
    #expect(plan.columns.isEmpty && plan.refills)
    #expect(
      plan.changes.map(\.description) == ["Orders.total: changed from sum REAL to total REAL"])
  }

  @Test(arguments: [true, false])
  func `a column that is declared no more is kept under another name, unless it is gone`(
    isThere: Bool
  ) throws {
    let plan = try plan { stored in
      stored.registration?.columns["old"] = "old TEXT"
      if isThere { stored.columns.append(.init("old", .text)) }
    }
    let kept = [ColumnChanges.Kept("old", as: "old_removed", isReplaced: false)]
    #expect(plan.columns == ColumnChanges(kept: isThere ? kept : []))
    #expect(plan.changes.map(\.action) == (isThere ? [.removed] : []))
    #expect(!plan.refills)
  }

  @Test func `a column of another type is made anew beside the old values`() throws {
    let plan = try plan { stored in
      stored.registration?.columns["total"] = "total TEXT"
      stored.columns = stored.columns.map { $0.name == "total" ? .init("Total", .text) : $0 }
    }
    #expect(
      plan.columns
        == ColumnChanges(
          added: [.init("total", .real)],
          kept: [.init("Total", as: "Total_removed", isReplaced: true)]))
    #expect(plan.refills)
    #expect(
      plan.changes.map(\.description) == [
        "Orders.total: changed from total TEXT to total REAL; present values kept as Total_removed"
      ])
  }

  @Test func `a column that somebody else made gives its name away and keeps its values`() throws {
    let plan = try plan { $0.registration?.columns = [:] }
    #expect(plan.columns.kept.map(\.name) == ["total_removed"])
    #expect(plan.changes.first?.from == "a column that the job did not declare")
  }

  @Test
  func `marks of deletion come and go without a refill, and never mix with a field's values`()
    throws
  {
    let column = SyncTable.Column("deleted_at", .integer)
    let deleting = SyncTable.collection(
      name: "Orders", columns: [.init("total", .real)], hasDocument: false, keepsDeleted: true)
    var marked = registration
    marked.columns["deleted_at"] = TableChanges.deletedMapping
    var stored = StoredTable(registration: registration, columns: wanted.columns)
    let begun = try TableChanges(deleting, as: marked, stored: stored)
    #expect(begun.columns == ColumnChanges(added: [column]) && !begun.refills)
    stored.columns.append(column)
    stored.registration = marked
    #expect(try TableChanges(deleting, as: marked, stored: stored).changes.isEmpty)
    let ended = try TableChanges(wanted, as: registration, stored: stored)
    #expect(ended.columns.kept.map(\.name) == ["deleted_at_removed"] && !ended.refills)
    stored.registration?.columns["deleted_at"] = "deletedAt INTEGER"
    let mixed = try TableChanges(deleting, as: marked, stored: stored)
    #expect(mixed.columns.kept.map(\.isReplaced) == [true])
    #expect(mixed.columns.added == [column])
  }

  @Test(arguments: [
    ([String](), "OLD_removed"), (["OLD_REMOVED"], "OLD_removed_2"),
    (["old_removed", "old_removed_2"], "OLD_removed_3"), (["old_removed_2"], "OLD_removed"),
  ])
  func `what is kept gets the first name that nobody has`(taken: [String], kept: String) throws {
    let plan = try plan { stored in
      stored.registration?.columns["old"] = "old TEXT"
      stored.columns += (["OLD"] + taken).map { .init($0, .text) }
    }
    #expect(plan.columns.kept.map(\.name) == [kept])
  }

  @Test func `a table that no job made is left alone`() {
    expectRefusal(
      .badData,
      "The table 'Orders' exists, and no sync-collection job created it; nothing was fetched. Name "
        + "another one under 'table', or drop that table."
    ) { try plan { $0.registration = nil } }
  }

  @Test func `a table holds one collection`() {
    expectRefusal(
      .badData,
      "The table 'Orders' holds the collection Shops, and the job now names the collection Orders. "
        + "Name another one under 'table', or start over with DROP TABLE \"Orders\"."
    ) { try plan { $0.registration?.source = "the collection Shops" } }
  }
}
