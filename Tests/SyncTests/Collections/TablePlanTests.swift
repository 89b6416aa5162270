import Store
import Testing

@testable import Sync

@Suite struct TablePlanTests {
  private let wanted = SyncTable.collection(
    name: "Orders", columns: [.init("total", .real)], hasDocument: false)
  private let registration = TableRegistration(
    source: "the collection Orders", columns: ["total": "total REAL"])

  /// The stored table when it is up to date, with a change.
  private func plan(
    _ change: (inout StoredTable) -> Void = { _ in }
  ) throws -> TablePlan {
    var stored = StoredTable(
      registration: registration, columns: wanted.columns + [.init("synced_at", .integer)])
    change(&stored)
    return try TablePlan(wanted, as: registration, stored: stored)
  }

  @Test("without a table, one is made")
  func new() throws {
    let plan = try TablePlan(wanted, as: registration, stored: nil)
    #expect(plan.isNew)
    #expect(plan.added.isEmpty)
  }

  @Test("a table that is as declared stays as it is")
  func unchanged() throws {
    let plan = try plan()
    #expect(!plan.isNew && plan.added.isEmpty && plan.undeclared.isEmpty && !plan.rewritesRows)
  }

  @Test("a column that is missing is added, and rows are written anew")
  func added() throws {
    let plan = try plan { $0.columns.removeAll { $0.name == "total" } }
    #expect(plan.added.map(\.name) == ["total"])
    #expect(plan.rewritesRows)
  }

  @Test("SQLite's names have no capitals")
  func capitals() throws {
    let plan = try plan { stored in
      stored.columns = stored.columns.map { .init($0.name.uppercased(), $0.type) }
    }
    #expect(plan.added.isEmpty)
  }

  @Test("a column that another field fills now makes rows be written anew")
  func remapped() throws {
    let plan = try plan { $0.registration?.columns["total"] = "sum REAL" }
    #expect(plan.added.isEmpty)
    #expect(plan.rewritesRows)
  }

  @Test(
    "a column that is declared no more is emptied, unless it is gone", arguments: [true, false])
  func undeclared(isThere: Bool) throws {
    let plan = try plan { stored in
      stored.registration?.columns["old"] = "old TEXT"
      if isThere { stored.columns.append(.init("old", .text)) }
    }
    #expect(plan.undeclared == (isThere ? ["old"] : []))
    #expect(!plan.rewritesRows)
  }

  @Test("a table that no job made is left alone")
  func taken() {
    #expect(throws: TablePlan.Conflict.taken(table: "Orders")) {
      try plan { $0.registration = nil }
    }
  }

  @Test("a table holds one collection")
  func otherSource() {
    #expect(
      throws: TablePlan.Conflict.otherSource(
        table: "Orders", stored: "the collection Shops", wanted: "the collection Orders")
    ) { try plan { $0.registration?.source = "the collection Shops" } }
  }

  @Test("a column keeps its type")
  func otherType() {
    #expect(
      throws: TablePlan.Conflict.otherType(
        table: "Orders", column: "total", stored: "TEXT", wanted: "REAL")
    ) {
      try plan { stored in
        stored.columns = stored.columns.map { $0.name == "total" ? .init("total", .text) : $0 }
      }
    }
  }

  @Test("every conflict says what to do")
  func advice() {
    let conflicts: [TablePlan.Conflict] = [
      .taken(table: "T"), .otherSource(table: "T", stored: "a", wanted: "b"),
      .otherType(table: "T", column: "c", stored: "TEXT", wanted: "REAL"),
    ]
    for conflict in conflicts {
      #expect(conflict.description.contains("'T'"))
      #expect(conflict.description.contains(#/DROP|drop/#))
    }
  }
}
