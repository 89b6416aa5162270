import Glibc
package import Model

/// A random key in its own file of the workspace, created when it is first needed.
package struct WorkspaceKey {
  /// The key of pseudonyms in masked copies; see `docs/load.md#pseudonyms`.
  package static let masks = WorkspaceKey(path: "data/masks.key", loss: "all pseudonyms change")

  /// Relative to the workspace.
  let path: String
  /// The consequence of losing the key, as the end of a sentence.
  let loss: String

  /// Returns the key; the first call creates it, readable by its owner only.
  ///
  /// - Throws: `WorkspaceError.refused` for a file without a key, or `WorkspaceError.file`.
  package func made(in workspace: Workspace) throws(WorkspaceError) -> (
    hash: KeyedHash, isNew: Bool
  ) {
    let path = workspace.path(path)
    guard access(path, F_OK) != 0 else { return (try read(path), false) }
    let hash = KeyedHash(low: .random(in: 0...(.max)), high: .random(in: 0...(.max)))
    guard try AtomicFile.create(Array("\(hash.hexadecimal)\n".utf8), at: path) else {
      // Another process has just created it.
      return (try read(path), false)
    }
    return (hash, true)
  }

  private func read(_ path: String) throws(WorkspaceError) -> KeyedHash {
    let text = String(decoding: try FileContents.bytes(of: path, limit: 64), as: UTF8.self)
    if let hash = KeyedHash(hexadecimal: text.trimmed) { return hash }
    throw .refused(
      .configuration,
      "\(path) holds no key of 32 hexadecimal digits. Restore it from your copy, or remove it: "
        + "then the next run makes a new one, and \(loss).")
  }
}
