import GRDB
import Model

/// The ids of the stored purchases, while the table goes without their index.
///
/// A large import would write nearly every id into another page of the index. Without it, rows are
/// only appended, and rows of stored events wait until the index is there again.
struct PurchaseIds {
  static let index = "purchases_id"

  /// The most ids, in some 64 MiB.
  private static let mostIds = 4_000_000
  /// The most rows that wait.
  static let mostRepeats = 20_000

  private var ids: Set<Int64>
  /// The rows of stored events.
  private(set) var repeats = PurchaseRows()

  init(_ database: Database) throws {
    ids = try Int64.fetchSet(database, sql: "SELECT id FROM purchases")
  }

  /// Whether so many rows leave room for those to come.
  static func fit(_ rowCount: Int) -> Bool { rowCount <= mostIds / 2 }

  /// Whether the index has to be built, for want of memory.
  var isFull: Bool { ids.count > Self.mostIds || repeats.count > Self.mostRepeats }

  /// Returns the page's rows whose events are new; the others wait.
  mutating func newRows(of page: PurchaseRows) -> PurchaseRows {
    let areNew = (0..<page.count).map { row in
      page.id(ofRow: row).map { ids.insert($0).inserted } ?? false
    }
    guard areNew.contains(false) else { return page }
    var new = PurchaseRows()
    for (row, isNew) in areNew.enumerated() {
      if isNew { new.append(page, row: row) } else { repeats.append(page, row: row) }
    }
    return new
  }
}
