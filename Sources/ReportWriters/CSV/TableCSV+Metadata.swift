import Model
package import Reports

/// Where the rows of a table come from, beside its file, as W3C's CSV on the Web has it:
/// docs/reports/files.md#where-a-table-comes-from.
///
/// "Metadata Vocabulary for Tabular Data", section 5, and "Model for Tabular Data and Metadata on
/// the Web", section 5.3, where readers look for it.
extension TableCSV {
  static let metadataSuffix = "-metadata.json"

  /// A file for each table of a report that a query gave: its name, its statement with the values
  /// of its parameters, and the columns.
  package static func metadata(of report: Report) throws(ReportWriterError) -> [File] {
    var files: [File] = []
    for table in report.sections.flatMap(\.blocks).compactMap(\.table) {
      guard let source = table.source else { continue }
      let name = name(of: table.id, in: report.name)
      let content: JSONNode = .object([
        "@context": "http://www.w3.org/ns/csvw", "url": .text(name),
        "dc:title": .text(table.title), "dc:source": .text(source.name),
        "notes": [.object(note(on: source))],
        "tableSchema": [
          "columns": .list(rows(of: table).columns.map { .object(["titles": .text($0)]) })
        ],
      ])
      files.append(
        File(
          name: name + metadataSuffix, bytes: try JSONFile.bytes(of: content, named: name)))
    }
    return files
  }

  /// The statement is left out of anonymous reports where it may name people.
  private static func note(on source: QuerySource) -> [String: JSONNode] {
    let parameters = Dictionary(source.parameters.map { ($0.name, $0.value.json) }) { $1 }
    let note: [String: JSONNode] = [
      "query": .text(source.name), "parameters": .object(parameters),
    ]
    return note.merging(source.sql.map { ["sql": .text($0)] } ?? [:]) { $1 }
  }
}
