import FoundationEssentials
import Glibc
package import Model
package import Store

/// The list of a workspace's tombstones in a file beside its backups; see
/// `docs/backup.md#erased-people`.
///
/// With it, people who were erased after a backup stay erased even if the database is lost. Each
/// erasure writes a new file with all tombstones.
package struct ErasureList: Codable {
  private static let prefix = "erasures-"
  private static let suffix = "Z.json"
  private static let mostBytes = 1 << 28

  private let key: String
  private let people: [Person]

  private struct Person: Codable {
    let hash: Int64
    let at: Instant
  }

  private init(_ erasures: Erasures) {
    key = erasures.key
    people = erasures.people.map { Person(hash: $0.key, at: $0.value) }.sorted { $0.hash < $1.hash }
  }

  private var erasures: Erasures {
    Erasures(
      key: key, people: Dictionary(people.map { ($0.hash, $0.at) }) { first, _ in first })
  }

  package static func isName(_ name: String) -> Bool { instant(ofName: name) != nil }

  /// Returns the time in a file's name; nil for other files.
  private static func instant(ofName name: String) -> Instant? {
    let plain = name.dropLast(BackupCipher.isEncrypted(name) ? BackupCipher.suffix.count : 0)
    guard plain.hasPrefix(prefix), plain.hasSuffix(suffix) else { return nil }
    return BackupName.instant(of: plain.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// Writes the tombstones, encrypted if the cipher encrypts.
  package static func write(
    _ erasures: Erasures, to folder: BackupFolder, _ cipher: BackupCipher, at now: Instant
  ) throws {
    try FileContents.makeFolder(folder.path)
    // Each list has more people than the previous one, even if the clock was set back.
    let newest = try names(in: folder.path).compactMap { instant(ofName: $0) }.max()
    let at = newest.map { max(now, $0 + .microseconds(1)) } ?? now
    let stamp = at.description.replacing(":", with: "")
    let path = "\(folder.path)/\(prefix)\(stamp).json"
    let json = try StoredJSON.file(of: ErasureList(erasures))
    guard cipher.encryption != nil else { return try AtomicFile.write(json, to: path) }
    let drafts = cipher.draftFolder(for: folder.path)
    let plain = AtomicFile.temporaryPath(for: "\(drafts)/\(prefix)\(stamp).json")
    let encrypted = AtomicFile.temporaryPath(for: path + BackupCipher.suffix)
    defer { for draft in [plain, encrypted] { unlink(draft) } }
    try AtomicFile.write(json, to: plain)
    try cipher.encrypt(plain, to: encrypted, named: path + BackupCipher.suffix)
    guard rename(encrypted, path + BackupCipher.suffix) == 0 else {
      throw WorkspaceError.cannot("write", path + BackupCipher.suffix)
    }
    AtomicFile.syncFolder(of: path)
  }

  /// Reads the tombstones of all files in a folder.
  ///
  /// - Throws: `WorkspaceError` for a file that cannot be read or decrypted.
  static func all(
    in folder: String, _ cipher: BackupCipher, draft: String
  ) throws -> [Erasures] {
    try names(in: folder).map { try erasures(in: "\(folder)/\($0)", cipher, draft: draft) }
  }

  private static func erasures(
    in path: String, _ cipher: BackupCipher, draft: String
  ) throws -> Erasures {
    guard BackupCipher.isEncrypted(path) else { return try list(path, named: path).erasures }
    try cipher.check(path)
    defer { unlink(draft) }
    if let problem = try cipher.decrypt(path, to: draft) {
      throw WorkspaceError.cipherFailed("\(path) was not decrypted", problem, in: cipher.folder)
    }
    return try list(draft, named: path).erasures
  }

  private static func list(_ path: String, named name: String) throws -> ErasureList {
    do {
      let list = try FileContents.decoded(ErasureList.self, from: path, limit: mostBytes)
      if let list { return list }
    } catch is DecodingError {}
    throw WorkspaceError.refused(
      .badData,
      "\(name) holds no list of erased people. Nothing was changed. Copy it again, or move it away "
        + "to restore without it.")
  }

  /// Removes all files except the newest one and those dated too far after `now`.
  static func prune(_ folder: BackupFolder, at now: Instant) throws(WorkspaceError) {
    let lists = try names(in: folder.path).compactMap { name in
      instant(ofName: name).map { (name: name, at: $0) }
    }.filter { $0.at.counts(at: now) }
    let newest = lists.map(\.at).max()
    for list in lists where list.at != newest {
      try FileContents.remove("\(folder.path)/\(list.name)")
    }
  }

  private static func names(in folder: String) throws(WorkspaceError) -> [String] {
    do {
      return try FileContents.names(in: folder).filter(isName)
    } catch let error where error.systemCode == ENOENT {
      return []
    }
  }
}
