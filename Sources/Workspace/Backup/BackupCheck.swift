import Foundation
package import Store

/// The result of reading every byte of a backup; see `docs/backup.md#verify`.
package struct BackupCheck: Sendable {
  package let path: String
  /// The manifest; nil for a backup without one, such as a copy of an earlier version.
  package let manifest: BackupManifest?
  package let digest: FileDigest
  /// Nil for a file without a readable database, or one that cannot be decrypted here.
  package let inspection: DatabaseInspection?
  /// The faults, each as the end of a sentence; empty for a sound backup.
  package let problems: [String]
  /// Why the command failed to decrypt it, as the end of a sentence; nil if it did not fail.
  private let undecrypted: String?

  /// The error of restoring the backup; nil for a sound one.
  package var refusal: WorkspaceError? {
    guard !problems.isEmpty else { return nil }
    // A failed decryption with no other fault is distinguished from a damaged file.
    guard let undecrypted, problems.count == 1 else { return .damagedBackup(path, problems) }
    return .refused(
      .badData,
      "The backup \(path) was not decrypted: \(undecrypted). Nothing was changed. Check --decrypt "
        + "or backup.decrypt, and the key.")
  }

  /// Checks a backup without a workspace; `folder` needs room for the database.
  ///
  /// - Throws: `WorkspaceError.file`, or a cancellation.
  package init(
    _ path: String, expandingIn folder: String, cipher: BackupCipher = .none
  ) throws {
    let draft = AtomicFile.temporaryPath(for: "\(folder)/firetally.sqlite")
    defer { unlink(draft) }
    try self.init(path, expandingTo: draft, cipher: cipher)
  }

  /// Checks a backup and leaves its database in `draft`, a new file that only its owner can read.
  ///
  /// - Throws: `WorkspaceError.file`, or a cancellation.
  init(_ path: String, expandingTo draft: String, cipher: BackupCipher = .none) throws {
    self.path = path
    var problems: [String] = []
    let isExpanded: Bool
    (digest, isExpanded, undecrypted) = try Self.expand(path, to: draft, cipher, &problems)
    manifest = try Self.manifest(of: path, &problems)
    inspection = isExpanded ? try Self.inspection(of: draft, &problems) : nil
    if let manifest { problems += Self.differences(from: manifest, digest, inspection) }
    if RestoredDatabase.hasLog(path) {
      problems.append(
        "changes wait in \(path)-wal, so it is a database in use: back it up with "
          + "`firetally backup`")
    }
    self.problems = problems
  }

  /// Returns the digest of the original file, whether its database is in the draft, and why the
  /// command failed to decrypt it.
  private static func expand(
    _ path: String, to draft: String, _ cipher: BackupCipher, _ problems: inout [String]
  ) throws -> (FileDigest, isExpanded: Bool, undecrypted: String?) {
    let digest = try FileDigest(ofFile: path)
    let decrypted = AtomicFile.temporaryPath(for: draft)
    defer { unlink(decrypted) }
    let isEncrypted = BackupCipher.isEncrypted(path)
    if isEncrypted {
      guard cipher.decryption != nil else { return (digest, false, nil) }
      if let problem = try cipher.decrypt(path, to: decrypted) {
        problems.append("it was not decrypted: \(problem)")
        return (digest, false, problem)
      }
    }
    let file = try FileDescriptor.open(draft, O_WRONLY | O_CREAT | O_EXCL, to: "write")
    let problem = try Gzip.expand(isEncrypted ? decrypted : path, into: file, at: draft)
    problems += [problem].compactMap(\.self)
    return (digest, problem == nil, nil)
  }

  private static func manifest(
    of path: String, _ problems: inout [String]
  ) throws -> BackupManifest? {
    do {
      return try BackupManifest.read(beside: path)
    } catch is DecodingError {
      problems.append("its manifest \(path)\(BackupManifest.suffix) cannot be read")
      return nil
    }
  }

  private static func inspection(
    of draft: String, _ problems: inout [String]
  ) throws -> DatabaseInspection? {
    do {
      let inspection = try DatabaseInspection(ofFile: draft)
      problems += inspection.problems
      return inspection
    } catch StoreError.foreignDatabase {
      problems.append("it holds a database of another program")
    } catch let error as StoreError where error.isCorrupt {
      problems.append("it holds no readable SQLite database")
    }
    return nil
  }

  private static func differences(
    from manifest: BackupManifest, _ digest: FileDigest, _ inspection: DatabaseInspection?
  ) -> [String] {
    guard manifest.format <= BackupManifest.currentFormat else {
      return [
        "its manifest has format \(manifest.format), and this firetally knows "
          + "\(BackupManifest.currentFormat)"
      ]
    }
    var differences: [String] = []
    if digest.bytes != manifest.bytes {
      differences.append("it has \(digest.bytes) bytes, and its manifest says \(manifest.bytes)")
    }
    if digest.sha256 != manifest.sha256 {
      differences.append("its SHA-256 is not that of its manifest")
    }
    guard let inspection, inspection.problems.isEmpty else { return differences }
    if inspection.project != manifest.project {
      differences.append("it is not of the project that its manifest says")
    }
    if inspection.schema != manifest.schema {
      differences.append(
        "it has schema \(inspection.schema), and its manifest says \(manifest.schema)")
    }
    for table in Set(manifest.counts.keys).union(inspection.counts.keys).sorted() {
      let (found, said) = (inspection.counts[table], manifest.counts[table])
      guard found != said else { continue }
      differences.append(
        "the table \(table) has \(found.map(String.init) ?? "no") rows, and its manifest says "
          + "\(said.map(String.init) ?? "nothing")")
    }
    return differences
  }
}
