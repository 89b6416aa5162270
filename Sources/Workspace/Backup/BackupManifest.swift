import FoundationEssentials
import Glibc
package import Model

/// The description of a backup in a file beside it: its content and its checksum.
///
/// The manifest is written last, so a backup without one was never finished. Its members are listed
/// in `docs/backup.md#manifest`.
package struct BackupManifest: Codable, Hashable, Sendable {
  package enum Reason: String, Codable, Sendable {
    case command, maintain, migration
  }

  package var format = Self.currentFormat
  package var file: String
  package var createdAt: Instant
  package var reason: Reason
  /// The version of the program that made the backup.
  package var firetally: String
  package var schema: Int
  /// The project of the data; nil for none.
  package var project: String?
  /// The size of the backup.
  package var bytes: Int64
  /// The SHA-256 of the backup, in hexadecimal.
  package var sha256: String
  /// The size of the database in the backup.
  package var databaseBytes: Int64
  /// The numbers of rows by table.
  package var counts: [String: Int]

  package static let currentFormat = 1
  package static let suffix = ".json"
  /// The largest size that is read, in bytes: a manifest has some hundred bytes, and a few dozen
  /// for each table.
  private static let mostBytes = 1 << 20

  /// Reads the manifest beside a backup; nil when there is none.
  ///
  /// - Throws: `WorkspaceError.file`, or `DecodingError` for a file that is not a manifest.
  static func read(beside backup: String) throws -> BackupManifest? {
    try FileContents.decoded(BackupManifest.self, from: backup + suffix, limit: mostBytes)
  }
}

/// The name of a backup's file, which contains its time.
///
/// `firetally-2026-01-31T080000Z.sqlite.gz`; a backup before a migration has `-before-21` after the
/// time, and an encrypted one ends with `.enc`. Earlier versions wrote
/// `firetally-2026-01-31T080000Z.sqlite`.
struct BackupName: Hashable {
  let createdAt: Instant
  /// The new schema of the migration that follows the backup; nil for other backups.
  var schemaAhead: Int?
  var isCompressed = true
  /// Whether the file is encrypted; only a compressed one can be.
  var isEncrypted = false

  private static let prefix = "firetally-"
  private static let migrationMark = "-before-"

  init(_ createdAt: Instant, schemaAhead: Int? = nil, isEncrypted: Bool = false) {
    self.createdAt = createdAt
    self.schemaAhead = schemaAhead
    self.isEncrypted = isEncrypted
  }

  /// Nil for a file that is not a backup.
  init?(fileName: String) {
    guard fileName.hasPrefix(Self.prefix) else { return nil }
    isEncrypted = BackupCipher.isEncrypted(fileName)
    let fileName = fileName.dropLast(isEncrypted ? BackupCipher.suffix.count : 0)
    isCompressed = fileName.hasSuffix(".sqlite.gz")
    guard isCompressed || (!isEncrypted && fileName.hasSuffix(".sqlite")) else { return nil }
    let stem = fileName.dropFirst(Self.prefix.count).dropLast(isCompressed ? 10 : 7)
    let parts = stem.split(separator: "Z", omittingEmptySubsequences: false)
    guard parts.count == 2, let instant = Self.instant(of: parts[0]) else { return nil }
    createdAt = instant
    guard !parts[1].isEmpty else { return }
    guard isCompressed, parts[1].hasPrefix(Self.migrationMark),
      let schema = Int(parts[1].dropFirst(Self.migrationMark.count)), schema > 0
    else { return nil }
    schemaAhead = schema
  }

  var fileName: String {
    Self.prefix + createdAt.description.replacing(":", with: "")
      + (schemaAhead.map { "\(Self.migrationMark)\($0)" } ?? "")
      + (isCompressed ? ".sqlite.gz" : ".sqlite") + (isEncrypted ? BackupCipher.suffix : "")
  }

  /// Parses `2026-01-31T080000`, with an optional fraction of a second.
  static func instant(of stamp: Substring) -> Instant? {
    guard let time = stamp.firstIndex(of: "T") else { return nil }
    var digits = String(stamp[stamp.index(after: time)...])
    guard digits.utf8.count >= 6, digits.utf8.prefix(6).allSatisfy({ (48...57).contains($0) })
    else { return nil }
    for offset in [4, 2] {
      digits.insert(":", at: digits.index(digits.startIndex, offsetBy: offset))
    }
    return Instant(iso8601: "\(stamp[..<time])T\(digits)Z")
  }
}
