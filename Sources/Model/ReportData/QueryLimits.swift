/// How much a query may take before it is ended: docs/sql.md#limits.
package struct QueryLimits: Hashable, Sendable {
  /// Time for the whole query; looked at every 0.1 ms or so, between SQLite's instructions.
  package var seconds: Double
  /// Rows of the result.
  package var rows: Int
  /// Whether the rows beyond `rows` are left out; else they are an error.
  package var cutsRows: Bool
  /// Bytes of one value, also of one that is only computed on the way.
  package var valueBytes: Int
  /// Bytes of all values of the result, each with 24 of its own, so that memory stays bounded.
  package var resultBytes: Int

  package init(
    seconds: Double = 10, rows: Int = 10_000, cutsRows: Bool = false,
    valueBytes: Int = 10_000_000, resultBytes: Int = 64_000_000
  ) {
    self.seconds = seconds
    self.rows = rows
    self.cutsRows = cutsRows
    self.valueBytes = valueBytes
    self.resultBytes = resultBytes
  }
}
