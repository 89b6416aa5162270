package import Model
package import Store

/// The key of the tombstones, stored in the database so that its copies keep it.
///
/// It differs from the key of the pseudonyms, so that published pseudonyms cannot be compared with
/// it.
package enum ErasureKey {
  package static func stored(_ reader: some Readable) throws -> KeyedHash? {
    try reader.erasureKey().flatMap(KeyedHash.init(hexadecimal:))
  }

  /// Returns the key of the workspace; the first erasure creates it.
  package static func made(in writer: Writer) throws -> KeyedHash {
    if let key = try stored(writer) { return key }
    let key = KeyedHash(low: .random(in: 0...(.max)), high: .random(in: 0...(.max)))
    try writer.setErasureKey(key.hexadecimal)
    return key
  }
}

extension KeyedHash {
  /// Returns the hash in the form that the database stores.
  package func of(id: String) -> Int64 { Int64(bitPattern: of(Array(id.utf8))) }
}

extension Erasures {
  /// Erases everybody who has a tombstone here and occurs in the database, such as a restored
  /// backup.
  ///
  /// Call it inside `Store.erasing`. Tombstones of the same key are all adopted first; with another
  /// key, the people found get tombstones of the database's own key.
  ///
  /// - Returns: the number of people found.
  func repeatErasure(at now: Instant, in writer: Writer) throws -> Int {
    guard !people.isEmpty, let key = KeyedHash(hexadecimal: key) else { return 0 }
    let erased = ErasedPeople(key, hashes: Set(people.keys))
    let found = try writer.namedPeople { erased.contains($0) }
    for id in found {
      try writer.noteErased(hash: try ErasureKey.made(in: writer).of(id: id), at: now)
      _ = try writer.erasePerson(id: id)
    }
    return found.count
  }
}
