import Glibc
import Platform

/// The commands that encrypt and decrypt backups; see `docs/backup.md#encryption`.
package struct BackupCipher: Hashable, Sendable {
  /// Nil when backups are not encrypted.
  let encryption: String?
  /// Nil when only the size and SHA-256 of an encrypted backup can be checked.
  let decryption: String?
  /// The folder in which the commands run.
  let folder: String
  private let environment: [String: String]

  /// The extension of an encrypted file.
  static let suffix = ".enc"
  package static let none = BackupCipher()

  package init(
    encryption: String? = nil, decryption: String? = nil, in folder: String = ".",
    environment: [String: String] = [:]
  ) {
    self.encryption = encryption
    self.decryption = decryption
    self.folder = folder
    self.environment = environment
  }

  package init(_ config: WorkspaceConfig, in workspace: Workspace) {
    self.init(
      encryption: config.backup.encrypt, decryption: config.backup.decrypt, in: workspace.root,
      environment: workspace.variables)
  }

  /// Whether a file is encrypted, according to its name.
  package static func isEncrypted(_ path: String) -> Bool { path.hasSuffix(suffix) }

  /// - Throws: `WorkspaceError` for an encrypted file when there is no command to decrypt it.
  package func check(_ path: String) throws(WorkspaceError) {
    guard decryption != nil || !Self.isEncrypted(path) else { throw .encryptedBackup(path) }
  }

  /// Returns the folder for unencrypted drafts while a file of `target` is made.
  ///
  /// A folder that is copied to another machine gets only encrypted files.
  func draftFolder(for target: String) -> String {
    encryption == nil ? target : Workspace(root: folder).dataFolder
  }

  /// Encrypts a file into a new one, which only its owner can read, and syncs it to the disk.
  ///
  /// - Precondition: `encryption` is not nil.
  /// - Throws: `WorkspaceError`, or a cancellation; a partial file stays.
  func encrypt(_ plain: String, to path: String, named name: String) throws {
    guard let encryption else { preconditionFailure("nothing encrypts without a command") }
    guard let problem = try filter(plain, through: encryption, of: "backup.encrypt", to: path)
    else { return }
    throw WorkspaceError.cipherFailed("\(name) was not encrypted", problem, in: folder)
  }

  /// Decrypts a file into a new one; otherwise as `encrypt`.
  ///
  /// - Precondition: `decryption` is not nil.
  /// - Returns: why the command failed, as the end of a sentence; nil on success.
  func decrypt(_ path: String, to plain: String) throws -> String? {
    guard let decryption else { preconditionFailure("nothing decrypts without a command") }
    return try filter(path, through: decryption, of: "backup.decrypt or --decrypt", to: plain)
  }

  /// Runs a command on a file; messages name its `place`, not the command, which may hold a secret.
  private func filter(
    _ source: String, through command: String, of place: String, to path: String
  ) throws -> String? {
    let input = try FileDescriptor.open(source, O_RDONLY, to: "read")
    let output = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, to: "write")
    do {
      try ShellFilter(command, in: folder, environment: environment)
        .run(from: input.number, to: output.number)
    } catch let failure as ShellFilter.Failure {
      let said = failure.said.map { ": \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" } ?? ""
      return "the command of \(place) ended with status \(failure.status)\(said)"
    } catch let failure as ProcessFailure {
      throw WorkspaceError.cannot("run a command in", folder, code: failure.code)
    }
    try output.sync(path)
    return nil
  }
}
