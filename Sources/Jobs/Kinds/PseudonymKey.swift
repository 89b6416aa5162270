import Rules
import Store

/// The key of a workspace's pseudonyms: in its database, so that copies and backups keep it.
enum PseudonymKey {
  private static let mark = "pseudonym-key"

  /// The hash with the key that the workspace has; the first that asks makes it.
  static func hash(of store: Store) throws -> KeyedHash {
    if let hash = try store.read({ try stored($0) }) { return hash }
    return try store.write { writer in
      if let hash = try stored(writer) { return hash }
      let hash = KeyedHash(low: .random(in: 0...(.max)), high: .random(in: 0...(.max)))
      try writer.setMark(hash.hexadecimal, named: mark)
      return hash
    }
  }

  private static func stored(_ reader: some Readable) throws -> KeyedHash? {
    try reader.mark(named: mark).flatMap { KeyedHash(hexadecimal: $0) }
  }
}
