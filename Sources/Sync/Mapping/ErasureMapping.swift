import Firestore
package import Model
package import Store

/// A mapping that leaves out rows about erased people.
struct ErasureMapping<Base: DocumentMapping>: DocumentMapping {
  let base: Base
  let erased: ErasedPeople

  var scanner: DocumentScanner { base.scanner }
  var width: Int { base.width }
  var childWidths: [Int] { base.childWidths }
  var orderPosition: Int? { base.orderPosition }
  var personCells: PersonCells { base.personCells }

  func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let count = collected.rows.count
    base.add(document, in: page, to: &collected)
    guard collected.rows.count > count,
      erased.areNamed(inLastRowOf: collected.rows, cells: base.personCells)
        || collected.children.contains(where: erased.areNamed(inLastOf:))
    else { return }
    let key = erased.areNamed(inKeyOfLastRowOf: collected.rows) ? nil : collected.lastKey
    collected.removeLast()
    guard let key else { return collected.skip(ErasedPeople.countedAs) }
    key.withUnsafeBytes { collected.skip(ErasedPeople.countedAs, key: $0) }
  }

  func time(of value: Value) -> Timestamp? { base.time(of: value) }
}

extension MappedRows {
  /// A copy of the key of the last row.
  fileprivate var lastKey: [UInt8]? {
    guard case .text(let range)? = rows.cells.suffix(rows.width).first else { return nil }
    return Array(rows.bytes[range])
  }
}

extension ErasedPeople {
  /// Whether a child row of the last parent row is about such a person.
  fileprivate func areNamed(inLastOf children: ChildRows) -> Bool {
    children.range(of: children.ends.count - 1).contains {
      areNamed(inRow: $0, of: children.rows, cells: .all)
    }
  }
}

extension DocumentMapping {
  fileprivate func without(_ erased: ErasedPeople) -> any DocumentMapping {
    ErasureMapping(base: self, erased: erased)
  }
}

extension PullRequest {
  /// The same request, leaving out people whose data was erased.
  package func withoutErased(in reader: some Readable) throws -> PullRequest {
    let erased = try ErasedPeople.stored(in: reader)
    guard !erased.isEmpty else { return self }
    var request = self
    request.mapping = mapping.without(erased)
    if let mapping = silentChanges?.mapping {
      request.silentChanges?.mapping = mapping.without(erased)
    }
    return request
  }
}

extension ErasedPeople {
  /// The erased people that the database remembers.
  package static func stored(in reader: some Readable) throws -> ErasedPeople {
    let hashes = try reader.erasedHashes()
    guard !hashes.isEmpty, let key = try reader.erasureKey().flatMap(KeyedHash.init(hexadecimal:))
    else { return .none }
    return ErasedPeople(key, hashes: Set(hashes.map { UInt64(bitPattern: $0) }))
  }
}
