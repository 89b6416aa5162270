/// What a file of GA4's export holds of one civil day.
package struct ExportPiece: Hashable, Sendable {
  package enum State: String, Sendable {
    /// Its rows are in the ledger.
    case stored
    /// Its rows are left out until the other files of its export have come.
    case waiting
    /// A later export, or a table that wins, took its place.
    case replaced
  }

  /// The row in the table `event_exports`; 0 for a piece that is not stored.
  package var id: Int64 = 0
  package var name: ExportFileName
  /// As `20261127`.
  package var day: Int
  package var path: String
  /// Changes whenever the file does; empty for a stream.
  package var version: String
  package var state = State.stored
  package var rows = EventDaySummary()

  package init(_ path: String, version: String, name: ExportFileName, day: Int) {
    self.path = path
    self.version = version
    self.name = name
    self.day = day
  }

  package func isSameFile(as other: ExportPiece) -> Bool {
    path == other.path && version == other.version && !version.isEmpty
  }
}

/// What becomes of a day's rows when more of them come; docs/events.md#days-that-come-again.
package enum ExportDayRule {
  /// A new export may lack one row in this number of stored ones.
  package static let lackingOneIn = 10

  package enum Decision: Hashable, Sendable {
    /// The rows join the existing ones.
    case add
    /// The rows are left out: this table has come.
    case leaveOut(ExportFileName.Table)
    /// The rows take the place of those of these pieces.
    case replace([Int64])
    /// So many files of the export have not come yet.
    case wait(missing: Int)
  }

  /// Decides about the files of one export of a table; none of them holds rows of another.
  ///
  /// - Parameters:
  ///   - files: what the export's files hold of the day.
  ///   - pieces: what is known of the day, of every table and property.
  ///   - present: the parts of the table that lie in the folder of the files.
  /// - Returns: what to do with the rows.
  package static func decision(
    for files: [ExportPiece], among pieces: [ExportPiece], present: Set<String>
  ) -> Decision {
    guard let table = files.first?.name.table, table != .unknown else { return .add }
    let property = pieces.filter { piece in
      piece.state == .stored && piece.name.table != .unknown
        && files.contains { isSameProperty($0, piece) }
    }
    guard let winner = property.map(\.name.table).max() else { return .add }
    guard table >= winner else { return .leaveOut(winner) }
    let rivals = property.filter { $0.name.table == table }
    guard rivals.isEmpty || files.contains(where: { isRenewed($0, rivals) }) else { return .add }
    let missing = missingCount(of: files, present: present)
    return missing > 0 ? .wait(missing: missing) : .replace(property.map(\.id))
  }

  /// By the streams of their rows; else files with equal folders and beginnings.
  private static func isSameProperty(_ left: ExportPiece, _ right: ExportPiece) -> Bool {
    guard !left.rows.streams.isEmpty, !right.rows.streams.isEmpty else {
      return left.name.series == right.name.series
    }
    return !left.rows.streams.isDisjoint(with: right.rows.streams)
  }

  /// Whether rows may be of one property, according to the streams that they name.
  package static func mayBeSameProperty(_ left: Set<String>, _ right: Set<String>) -> Bool {
    left.isEmpty || right.isEmpty || !left.isDisjoint(with: right)
  }

  /// Whether the file is of a later export than these pieces of its table.
  private static func isRenewed(_ file: ExportPiece, _ rivals: [ExportPiece]) -> Bool {
    let same = rivals.filter { $0.name.part == file.name.part }
    if !same.isEmpty {
      return !same.contains { $0.isSameFile(as: file) || $0.rows.digest == file.rows.digest }
    }
    // A whole table and its numbered files are two exports.
    if file.name.isWholeTable { return true }
    return file.name.number != nil && rivals.contains { $0.name.isWholeTable }
  }

  /// Files of the export that lie in the folder and are not among these, or whose number is left
  /// out.
  private static func missingCount(of files: [ExportPiece], present: Set<String>) -> Int {
    let parts = Set(files.map(\.name.part))
    guard !parts.contains("") else { return 0 }
    let numbers = Set(files.compactMap(\.name.number))
    let gaps = numbers.max().map { $0 + 1 - numbers.count } ?? 0
    return max(gaps, present.subtracting(parts).subtracting([""]).count)
  }

  /// Whether an export with `now` rows is too short to take the place of one with `before`.
  package static func isTooShort(_ now: Int, before: Int) -> Bool {
    before - now > max(1, before / lackingOneIn)
  }

  /// Whether pieces of one day are known to be no repetition of each other: numbered files of one
  /// export, or rows of two properties.
  package static func addUp(_ left: ExportPiece, _ right: ExportPiece) -> Bool {
    guard mayBeSameProperty(left.rows.streams, right.rows.streams) else { return true }
    return left.name.table == right.name.table && left.name.number != nil
      && right.name.number != nil && left.name.number != right.name.number
      && isSameProperty(left, right)
  }
}
