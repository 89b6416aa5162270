import Firestore
package import Model

/// The key that hashes e-mail addresses and phone numbers; see `docs/privacy.md#contacts`.
///
/// It is in its own file, so that a copy of only the database cannot be compared with lists of
/// addresses.
package struct ContactKey {
  /// Relative to the workspace.
  static let path = "data/contacts.key"

  package let hash: KeyedHash
  let isNew: Bool

  /// Returns the key of the workspace; the first call creates it, readable by its owner only.
  ///
  /// - Throws: `WorkspaceError.refused` for a file without a key, or `WorkspaceError.file`.
  package static func made(in workspace: Workspace) throws(WorkspaceError) -> ContactKey {
    let (hash, isNew) = try WorkspaceKey(path: path, loss: "all hashes of contacts change")
      .made(in: workspace)
    return ContactKey(hash: hash, isNew: isNew)
  }

  package func warnings(in workspace: Workspace) -> [String] {
    let path = workspace.path(Self.path)
    let open = SecretFile.warning(about: "The key of contacts in \(path)", path: path)
    let made =
      isNew
      ? "Made the key \(Self.path). Only encrypted backups hold it, so keep a copy elsewhere. If it "
        + "is lost, all hashes of e-mail addresses and phone numbers change." : nil
    return [open, made].compactMap(\.self)
  }
}
