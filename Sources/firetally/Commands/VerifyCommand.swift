import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read a backup to its end and check it.",
    discussion: """
      Checks size and SHA-256 against the manifest, gzip's checksum, SQLite's pages, indexes and \
      foreign keys, and the rows of every table. Changes nothing and needs no workspace when a file \
      is named. It expands the database in TMPDIR and removes it.

      Exit status: 0 the backup is sound; 65 it is damaged or was not decrypted, and \
      the message says how.
      """,
    examples: [
      "firetally verify latest", "firetally verify firetally-2026-01-31T080000Z.sqlite.gz",
      "firetally verify latest --from /mnt/usb/firetally",
    ])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var source: BackupSource
  @OptionGroup var decryption: BackupDecryption

  @Argument(
    help: "A backup's path, its name in the folder, or `latest`.",
    completion: NameCompletion.backups)
  var file: String

  func run() throws {
    let invocation = Invocation(global)
    let path = try source.fileToVerify(file, invocation)
    let check = try BackupCheck(
      path, expandingIn: FileManager.default.temporaryDirectory.standardizedFileURL.path,
      cipher: BackupCipher.isEncrypted(path)
        ? try decryption.cipher(into: nil, invocation) : .none)
    if invocation.output.isJSON {
      let line: JSONObject = [
        "message_type": "backup_check", "path": check.path, "sound": check.problems.isEmpty,
        "problems": check.problems, "bytes": check.digest.bytes, "sha256": check.digest.sha256,
        "has_manifest": check.manifest != nil, "schema": check.inspection?.schema,
        "counts": check.inspection?.counts,
      ]
      try invocation.output.print(json: line)
    } else if check.problems.isEmpty {
      invocation.output.print("\(path): sound. \(Self.summary(of: check))")
    }
    if let refusal = check.refusal { throw refusal }
  }

  private static func summary(of check: BackupCheck) -> String {
    guard let inspection = check.inspection else {
      return "Nothing here can decrypt it, so only its size and SHA-256 were checked."
    }
    let rows = inspection.counts.values.reduce(0, +)
    let content = "Schema \(inspection.schema), \(inspection.counts.count) tables, \(rows) rows"
    guard let manifest = check.manifest else {
      return content + ". It has no manifest, so only the database itself was checked."
    }
    return content + ", made \(manifest.createdAt.iso8601) by firetally \(manifest.firetally)."
  }
}
