import Glibc
import ReportWriters
import Reports
package import Workspace

/// The folder with a CSV file for each table of the newest reports:
/// docs/reports/files.md#one-csv-a-table.
package struct TableFiles {
  private let path: String
  private let mode: FileMode

  /// `folder` is the output folder of the reports.
  package init(folder: String, mode: FileMode) {
    path = "\(folder)/\(TableCSV.folder)"
    self.mode = mode
  }

  /// Writes the tables of the reports, and removes the files of tables that no longer exist.
  ///
  /// That includes all tables of the reports in `gone`.
  func write(_ reports: [Report], without gone: [Report.Name] = []) throws {
    var written: Set<String> = []
    try FileContents.makeFolder(path, mode: mode)
    for file in try reports.flatMap(TableCSV.files) + reports.flatMap(TableCSV.metadata) {
      // Dozens of syncs would take longer than the report; after a power failure the next report
      // writes the tables again.
      try AtomicFile.write(
        file.bytes, to: "\(path)/\(file.name)", mode: mode, isDurable: false)
      written.insert(file.name)
    }
    try AtomicFile.removeAbandoned(in: path)
    let prefixes = (reports.map(\.name) + gone).map { "\($0.rawValue)." }
    for name in try names() where !written.contains(name) {
      guard prefixes.contains(where: name.hasPrefix) else { continue }
      try FileContents.remove("\(path)/\(name)")
    }
  }

  /// Returns the existing files of tables; none without the folder.
  package func files() throws(WorkspaceError) -> [String] { try names().map { "\(path)/\($0)" } }

  private func names() throws(WorkspaceError) -> [String] {
    guard access(path, F_OK) == 0 else { return [] }
    return try FileContents.names(in: path).filter(isOwn)
  }

  /// Whether a name is that of a table, or of an unfinished one: `.NAME.WRITER.….tmp`.
  private func isOwn(_ name: String) -> Bool {
    if TableCSV.isName(name) { return true }
    guard AtomicFile.isAbandoned(name, in: path) else { return false }
    return TableCSV.isName(
      name.dropFirst().split(separator: ".").dropLast(3).joined(separator: "."))
  }
}
