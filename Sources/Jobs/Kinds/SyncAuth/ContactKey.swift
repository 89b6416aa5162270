import Firestore
import Glibc
import Model

/// The key that hashes e-mail addresses and phone numbers: a file of its own, so that a copy of the
/// database alone can be compared with no list of addresses; see `docs/privacy.md#contacts`.
struct ContactKey {
  /// In the workspace.
  static let path = "data/contacts.key"

  let hash: KeyedHash
  let isNew: Bool

  /// The key of the workspace; the first that asks makes it, for its owner alone.
  ///
  /// - Throws: `JobsError.refused` for a file that holds none, or `JobsError.file`.
  static func made(in workspace: Workspace) throws(JobsError) -> ContactKey {
    let path = workspace.path(Self.path)
    guard access(path, F_OK) != 0 else { return ContactKey(hash: try read(path), isNew: false) }
    let hash = KeyedHash(low: .random(in: 0...(.max)), high: .random(in: 0...(.max)))
    guard try AtomicFile.create(Array("\(hash.hexadecimal)\n".utf8), at: path) else {
      // Another process was faster.
      return ContactKey(hash: try read(path), isNew: false)
    }
    return ContactKey(hash: hash, isNew: true)
  }

  private static func read(_ path: String) throws(JobsError) -> KeyedHash {
    let text = String(decoding: try FileContents.bytes(of: path, limit: 64), as: UTF8.self)
    if let hash = KeyedHash(hexadecimal: text.trimmed) { return hash }
    throw .refused(
      .configuration,
      "\(path) holds no key of 32 hexadecimal digits. Restore it from your copy, or remove it: "
        + "then the next run makes a new one, and all hashes of contacts change.")
  }

  func warnings(in workspace: Workspace) -> [String] {
    let path = workspace.path(Self.path)
    let open = SecretFile.warning(about: "The key of contacts in \(path)", path: path)
    let made =
      isNew
      ? "Made the key \(Self.path). Only encrypted backups hold it, so keep a copy elsewhere. If it "
        + "is lost, all hashes of e-mail addresses and phone numbers change." : nil
    return [open, made].compactMap(\.self)
  }
}
