import Firestore
import Foundation
import Model
import Rules
import Store

/// How far a gathering got, stored in the table `marks` under the job's name.
struct GatherState: Codable, Hashable, Sendable {
  /// The SHA-256 of the plan.
  var plan: String
  /// The index of the shard that comes next, and the last row of it that is stored.
  var shard = 0
  var row: Int64 = 0
  var inserted = 0
  var updated = 0
  var erased = 0

  init(_ plan: String) {
    self.plan = plan
  }

  static func name(of job: String) -> String { "gather of \(job)" }

  /// Nil without one, and for one of another version of the program.
  static func stored(named name: String, in reader: some Readable) throws -> GatherState? {
    guard let text = try reader.metadata(named: name) else { return nil }
    do {
      return try JSONDecoder().decode(GatherState.self, from: Data(text.utf8))
    } catch is DecodingError {
      return nil
    }
  }

  func save(named name: String, in writer: Writer) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try writer.setMetadata(
      String(decoding: try encoder.encode(self), as: UTF8.self), named: name)
  }

  mutating func endShard() {
    shard += 1
    row = 0
  }
}

/// One step of a gathering: some rows of the shard that is attached.
struct ShardMerge {
  let request: PullRequest
  let erased: ErasedPeople
  /// Whether the indexes of an empty table are dropped.
  let isLarge: Bool

  /// Stores the next rows, and ends the shard behind its last one.
  func step(_ state: inout GatherState, rowsPerCommit: Int64, in writer: Writer) throws {
    let table = request.table
    let last = try writer.lastRow(ofShardTable: table)
    if isLarge { try writer.dropIndexes(of: table, addedRows: state.inserted) }
    if state.row < last {
      let end = min(last, state.row + rowsPerCommit)
      let leavesOut: LeavesOut? = erased.isEmpty ? nil : { isErased($0, isChild: $1) }
      let gathered = try writer.gather(
        (state.row + 1)...end, into: table, leavesOut: leavesOut, noteLeftOut: isNoted)
      state.inserted += gathered.inserted
      state.updated += gathered.updated
      state.erased += gathered.leftOut
      state.row = end
    }
    guard state.row >= last else { return }
    if request.options.remembersSkipped { try writer.gatherSkipped(of: table) }
    try writer.clearTombstonesOfRows(in: table)
    state.endShard()
  }

  /// The rule of a pull: the cells of the row that may name people, and all of a child row.
  private func isErased(_ row: TableRows, isChild: Bool) -> Bool {
    erased.areNamed(inLastRowOf: row, cells: isChild ? .all : request.mapping.personCells)
  }

  /// Whether the key of a row that is left out may be kept.
  private func isNoted(_ rows: TableRows) -> Bool {
    request.options.remembersSkipped && !erased.areNamed(inKeyOfLastRowOf: rows)
  }
}
