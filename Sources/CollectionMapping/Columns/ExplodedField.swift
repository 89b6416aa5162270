package import Firestore
import Model
import Store
import Sync

/// An array or a map whose elements become rows of a child table; see
/// `docs/jobs/sync-collection.md#child-tables`.
package struct ExplodedField: Hashable, Sendable {
  package var tableName: String
  package var path: ValuePath
  /// The column with a map's keys; nil for an array, whose indexes are in `idx`.
  package var keyColumn: String?
  /// The columns, with paths that begin at the element.
  package var columns: [MappedColumn]

  package init(
    tableName: String, path: ValuePath, keyColumn: String? = nil, columns: [MappedColumn]
  ) {
    self.tableName = tableName
    self.path = path
    self.keyColumn = keyColumn
    self.columns = columns
  }

  var table: ChildTable {
    ChildTable(
      name: tableName,
      position: keyColumn.map { .init($0, .text) } ?? .init(ChildTable.indexColumn, .integer),
      columns: columns.map(\.stored))
  }

  func registration(below source: CollectionSource, in parent: String) -> TableRegistration {
    let elements = keyColumn.map { "the entries by \($0)" } ?? "the elements"
    return TableRegistration(
      source: "\(elements) of \(path) in \(source)\(Self.below(parent))",
      columns: Dictionary(columns.map { ($0.name, $0.mapping) }) { _, last in last })
  }

  /// Whether the source of a registration is that of a child table of `parent`.
  static func isElements(_ source: String, below parent: String) -> Bool {
    source.lowercased().hasSuffix(below(parent).lowercased())
  }

  private static func below(_ parent: String) -> String { ", below the table \(parent)" }
}

/// The mapping from an array or a map of scanned documents to rows of a child table.
struct ElementMapping: Sendable {
  let name: String
  private let hasKeys: Bool
  private let cells: [ColumnCell]
  private let columns: [MappedColumn]
  private let scanner: ElementScanner

  init(_ exploded: ExplodedField) {
    name = exploded.path.description
    hasKeys = exploded.keyColumn != nil
    columns = exploded.columns
    cells = columns.map(ColumnCell.init)
    scanner = ElementScanner(hasKeys ? .map : .array, columns.compactMap(\.wanted))
  }

  /// The number of cells of a row.
  var width: Int { columns.count + 2 }
  /// The number of paths: one for the element itself, and one for each column.
  var pathCount: Int { columns.count + 1 }

  /// Appends the rows of one document, and returns descriptions of values that do not fit.
  ///
  /// `json` is the JSON of the array or map, and empty when it is missing. Each row begins with
  /// `path`, the document's path. `met` records the paths that elements have, from position
  /// `first`, which is the element itself.
  func add(
    _ json: ArraySlice<UInt8>, of path: UnsafeRawBufferPointer, to rows: inout TableRows,
    meeting met: inout SeenFields, from first: Int
  ) -> [String] {
    guard !json.isEmpty else { return [] }
    var json = Array(json)
    var misfits: [String] = []
    let count = rows.count
    do {
      let stray = try scanner.scan(&json) { element, document, bytes in
        rows.append(text: path)
        met.meet(first)
        if hasKeys {
          rows.append(.text(element.key), from: bytes)
        } else {
          rows.append(Int64(element.index))
        }
        for (position, cell) in cells.enumerated() {
          if document.has(position) { met.meet(first + 1 + position) }
          let misfit = cell.append(
            document.fields[position], json: document.json(of: position), in: bytes, to: &rows)
          guard let misfit else { continue }
          misfits.append("\(name).\(columns[position].name) (\(misfit))")
        }
      }
      guard let stray else { return misfits }
      return ["\(name) (\(stray.rawValue(insteadOf: hasKeys ? .map : .array)))"]
    } catch {
      // The page was read whole and its JSON is canonical, so only an invalid value leads here.
      while rows.count > count { rows.removeLast() }
      return ["\(name) (malformed)"]
    }
  }
}
