package import Store

/// The time that the export took which a table was loaded from last, in microseconds since 1970.
///
/// Rows of it have its end as their time. What changed while it ran may not be in them.
package struct ExportWindow: Codable, Hashable, Sendable {
  package var begin: Int64
  package var end: Int64

  private static func name(of table: SyncTable) -> String { "export window of \(table.name)" }

  /// Nil for a table that no export was loaded into.
  package static func stored(
    of table: SyncTable, in reader: some Readable
  ) throws -> ExportWindow? {
    try reader.metadata(ExportWindow.self, named: name(of: table))
  }

  func store(for table: SyncTable, in writer: Writer) throws {
    try writer.setMetadata(encoding: self, named: Self.name(of: table))
  }

  /// The time at which a row with this time is certain.
  func certainty(of time: Int64) -> Int64 { time == end ? begin : time }
}
