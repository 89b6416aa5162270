import Glibc

/// The project, database and collections that the documents of an answer must belong to.
///
/// A proxy, a cache or a wrong server may answer with other documents, which must not become rows.
package struct DocumentOrigin: Hashable, Sendable {
  /// The common prefix of all names, including its last slash.
  private let prefix: [UInt8]
  /// The id of the documents' collection, at any depth below the prefix; nil for any collection.
  private let groupId: [UInt8]?
  /// The number of segments after the prefix; nil for any depth.
  private let depth: Int?

  /// The origin of the documents that `query` finds under `parent`, a document or the root.
  package init(_ query: StructuredQuery, under parent: ResourceName) {
    let ids = query.from.map(\.collectionId)
    let isGroup = query.from.isEmpty || query.from.contains(where: \.allDescendants)
    if !isGroup, ids.count == 1, let id = ids[0] {
      prefix = Array("\(parent)/\(id)/".utf8)
      groupId = nil
      depth = 1
    } else {
      prefix = Array("\(parent)/".utf8)
      groupId = ids.count == 1 ? ids[0].map { Array($0.utf8) } : nil
      depth = isGroup ? nil : 2
    }
  }

  /// The origin of the documents directly in the collection.
  package init(collection: ResourceName) {
    prefix = Array("\(collection)/".utf8)
    groupId = nil
    depth = 1
  }

  /// Whether the answer may contain a document of this full name.
  func holds(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count > prefix.count, let base = name.baseAddress,
      memcmp(base, prefix, prefix.count) == 0
    else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: name[prefix.count...])
    if depth == 1 { return memchr(base + prefix.count, 0x2F, rest.count) == nil }
    let parts = rest.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard parts.count % 2 == 0, depth ?? parts.count == parts.count else { return false }
    return groupId.map { $0.elementsEqual(parts[parts.count - 2]) } ?? true
  }

  func holds(_ name: String) -> Bool {
    var copy = name
    return copy.withUTF8 { holds(UnsafeRawBufferPointer($0)) }
  }

  /// The error for a document of another origin.
  static func strayDocument(_ name: String) -> WireError {
    WireError("the server answered with `\(name)`, which was not asked for")
  }
}
