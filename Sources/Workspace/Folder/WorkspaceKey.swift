import Glibc
package import Model

/// A key that the workspace keeps in a file of its own, made at random by whoever needs it first.
package struct WorkspaceKey {
  /// That of pseudonyms in masked copies; see `docs/load.md#pseudonyms`.
  package static let masks = WorkspaceKey(path: "data/masks.key", loss: "all pseudonyms change")

  /// In the workspace.
  let path: String
  /// What changes without the key, as the end of a sentence.
  let loss: String

  /// The key; the first that asks makes it, for its owner alone.
  ///
  /// - Throws: `JobsError.refused` for a file that holds none, or `JobsError.file`.
  package func made(in workspace: Workspace) throws(JobsError) -> (hash: KeyedHash, isNew: Bool) {
    let path = workspace.path(path)
    guard access(path, F_OK) != 0 else { return (try read(path), false) }
    let hash = KeyedHash(low: .random(in: 0...(.max)), high: .random(in: 0...(.max)))
    guard try AtomicFile.create(Array("\(hash.hexadecimal)\n".utf8), at: path) else {
      // Another process was faster.
      return (try read(path), false)
    }
    return (hash, true)
  }

  private func read(_ path: String) throws(JobsError) -> KeyedHash {
    let text = String(decoding: try FileContents.bytes(of: path, limit: 64), as: UTF8.self)
    if let hash = KeyedHash(hexadecimal: text.trimmed) { return hash }
    throw .refused(
      .configuration,
      "\(path) holds no key of 32 hexadecimal digits. Restore it from your copy, or remove it: "
        + "then the next run makes a new one, and \(loss).")
  }
}
