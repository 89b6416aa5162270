package import Firestore
package import Model
package import Sync

/// The mapping from documents to rows of declared columns, and from arrays and maps to rows of
/// child tables; see `docs/jobs/sync-collection.md#columns`.
package struct ColumnMapping: Sendable {
  package let scanner: DocumentScanner
  package let width: Int
  package let orderPosition: Int?
  private let columns: [Column]
  private let names: [String]
  private let elements: [ElementMapping]
  /// The position of the first exploded field among the scanned ones.
  private let firstElements: Int
  /// The number of declared paths; the scanned fields come first, in their order.
  private let pathCount: Int
  private let hasDocument: Bool
  private let parents: ParentPattern?

  private enum Column: Sendable {
    /// A field with its position among the scanned fields.
    case field(Int, ColumnCell)
    case document(DocumentPart, ColumnCell)
  }

  /// The reason in a run's counts for a document of a group with other parents.
  package static let otherParent = "other-parent"

  /// Creates a mapping to `SyncTable.collection` with these columns.
  ///
  /// `orderField` orders the pages or is the watermark's field; nil for the document's name.
  /// Without `parents`, all parents match.
  package init(
    columns: [MappedColumn], exploded: [ExplodedField] = [], hasDocument: Bool,
    orderField: FieldPath?, parents: ParentPattern? = nil
  ) {
    let wanted = columns.compactMap(\.wanted)
    var position = 0
    self.columns = columns.map { column in
      if case .document(let part) = column.source { return .document(part, ColumnCell(column)) }
      defer { position += 1 }
      return .field(position, ColumnCell(column))
    }
    names = columns.map(\.name)
    elements = exploded.map(ElementMapping.init)
    firstElements = wanted.count
    pathCount = DeclaredPath.all(of: columns, exploded).count
    self.hasDocument = hasDocument
    self.parents = parents
    orderPosition = orderField == nil ? nil : wanted.count + exploded.count
    width = columns.count + (hasDocument ? 4 : 3)
    let hasCreateTime = columns.contains { $0.source == .document(.createTime) }
    scanner = DocumentScanner(
      fields: wanted + exploded.map { WantedField($0.path, .json) }
        + (orderField.map { [WantedField($0)] } ?? []),
      extent: .init(hasDocument: hasDocument, hasCensus: true, hasCreateTime: hasCreateTime))
  }
}

extension ColumnMapping: DocumentMapping {
  package var childWidths: [Int] { elements.map(\.width) }
  package var personCells: PersonColumns { .all }

  package func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let path = KeyMapping.path(of: document.name, in: page)
    if let parents, !parents.hold(UnsafeRawBufferPointer(rebasing: page[path])) {
      return collected.skip(Self.otherParent, key: UnsafeRawBufferPointer(rebasing: page[path]))
    }
    let id = page[path].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.lowerBound
    collected.rows.append(.text(path), from: page)
    collected.rows.append(.text(id..<path.upperBound), from: page)
    collected.met.begin(pathCount)
    for position in 0..<(firstElements + elements.count) where document.has(position) {
      collected.met.meet(position)
    }
    for (index, column) in columns.enumerated() {
      switch column {
      case .field(let position, let cell):
        let misfit = cell.append(
          document.fields[position], json: document.json(of: position), in: page,
          to: &collected.rows)
        if let misfit { collected.note("\(names[index]) (\(misfit))") }
      case .document(let part, let cell):
        append(part, cell, of: path, document, in: page, to: &collected.rows)
      }
    }
    if hasDocument {
      if document.json.isEmpty {
        collected.rows.append(nil)
      } else {
        document.json.withUnsafeBytes { collected.rows.append(text: $0) }
      }
    }
    collected.rows.append(document.updateTime ?? 0)
    if !elements.isEmpty { addElements(of: document, path, in: page, to: &collected) }
  }

  private func append(
    _ part: DocumentPart, _ cell: ColumnCell, of path: Range<Int>,
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to rows: inout TableRows
  ) {
    switch part {
    case .id: rows.append(.text(KeyMapping.id(of: path, in: page)), from: page)
    case .path: rows.append(.text(path), from: page)
    case .createTime: append(document.createTime, cell, to: &rows)
    case .updateTime: append(document.updateTime, cell, to: &rows)
    case .parentId(let level), .parentPath(let level):
      let parent = DocumentPart.parent(level, of: path, in: page)
      guard let parent else { return rows.append(nil) }
      let isId = part == .parentId(level)
      rows.append(.text(isId ? KeyMapping.id(of: parent, in: page) : parent), from: page)
    }
  }

  private func append(_ time: Int64?, _ cell: ColumnCell, to rows: inout TableRows) {
    guard let time else { return rows.append(nil) }
    if cell.kind == .text {
      rows.append(text: Timestamp(microseconds: time).sortableText)
    } else {
      rows.append(ColumnCell.time(time, cell.form))
    }
  }

  private func addElements(
    of document: borrowing ScannedDocument, _ path: Range<Int>, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let path = UnsafeRawBufferPointer(rebasing: page[path])
    collected.beginChildren(childWidths)
    var met = firstElements + elements.count
    for (index, mapping) in elements.enumerated() {
      let position = firstElements + index
      defer { met += mapping.pathCount }
      if case .unreachable(let kind, let wanted) = document.fields[position] {
        collected.note("\(mapping.name) (\(kind.rawValue(insteadOf: wanted)))")
      }
      let misfits = mapping.add(
        document.json(of: position), of: path, to: &collected.children[index].rows,
        meeting: &collected.met, from: met)
      for misfit in misfits { collected.note(misfit) }
      collected.children[index].endRow()
    }
  }
}

extension DocumentPart {
  /// Returns the range of the parent's path inside a document's path; nil without such a parent.
  static func parent(
    _ level: Int, of path: Range<Int>, in page: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    var slashes = 2 * level
    var end = path.upperBound
    while slashes > 0, end > path.lowerBound {
      end -= 1
      if page[end] == UInt8(ascii: "/") { slashes -= 1 }
    }
    return slashes == 0 ? path.lowerBound..<end : nil
  }
}
