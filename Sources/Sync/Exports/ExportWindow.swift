package import Store

/// The time window of the last export that was loaded into a table, in microseconds since 1970.
///
/// Rows of that export have the window's end as their time. They may lack changes that were made
/// inside the window.
package struct ExportWindow: Codable, Hashable, Sendable {
  package var begin: Int64
  package var end: Int64

  private static func name(of table: SyncTable) -> MarkName { "export window of \(table.name)" }

  /// Returns the stored window; nil for a table that no export was loaded into.
  package static func stored(
    of table: SyncTable, in reader: some Readable
  ) throws -> ExportWindow? {
    try reader.mark(ExportWindow.self, named: name(of: table))
  }

  func store(for table: SyncTable, in writer: Writer) throws {
    try writer.setMark(encoding: self, named: Self.name(of: table))
  }

  /// Returns the time as of which a row with this time is certain.
  func certainty(of time: Int64) -> Int64 { time == end ? begin : time }
}
