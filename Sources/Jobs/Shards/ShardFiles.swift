package import Firestore
import Foundation
import Glibc
import Model
import Store
package import Sync
import Workspace

/// The description of a finished shard, beside its database; see `docs/shards.md#manifest`.
package struct ShardManifest: Codable, Hashable, Sendable {
  package var format = ShardFormat.current
  /// The SHA-256 of the plan.
  package var plan: String
  /// From 1.
  package var shard: Int
  package var file: String
  package var bytes: Int64
  /// The SHA-256 of the file, in hexadecimal.
  package var sha256: String
  /// The schema of the file, and the version of the program that wrote it.
  package var schema = Store.schemaVersion
  package var firetally = ProgramVersion.current
  /// The numbers of rows by table.
  package var rows: [String: Int]
  /// The traffic of the last attempt, with the billed reads of all attempts.
  package var traffic: Traffic
  package var progress: PullResult
}

/// The files of one shard in a folder; see `docs/shards.md#files`.
///
/// The shard is finished when both its database and its manifest exist.
package struct ShardFiles: Sendable {
  let plan: StoredShardPlan
  let number: Int
  let folder: String

  /// `shard-0003`, without the extension `.sqlite` or `.json`.
  var name: String { String(format: "shard-%04ld", number) }
  /// The paths of the finished files and of an attempt's files, without extensions.
  var place: String { "\(folder)/\(name)" }
  var draft: String { "\(folder)/.\(name)" }

  /// Returns the manifest of a finished shard; nil while it is not finished.
  ///
  /// The database itself is only read by the gathering. If it is missing or has another size, the
  /// shard counts as not finished.
  ///
  /// - Throws: `WorkspaceError.refused` for a manifest of another plan or shard.
  package func finished() throws -> ShardManifest? {
    let found: ShardManifest?
    do {
      found = try FileContents.decoded(
        ShardManifest.self, from: "\(place).json", limit: ShardPlan.mostBytes)
    } catch is DecodingError {
      throw refusal(
        "\(place).json is not a manifest of a shard, or another version made it: remove it, then run the "
          + "shard again")
    }
    guard let manifest = found else { return nil }
    guard manifest.plan == plan.digest, manifest.shard == number else {
      throw refusal("\(place) is of another plan: give the folder of this one")
    }
    guard manifest.schema == Store.schemaVersion else {
      throw refusal(
        "\(place) has schema \(manifest.schema) of firetally \(manifest.firetally), and this one "
          + "has \(Store.schemaVersion): run and gather all shards with one version")
    }
    var status = stat()
    let isWhole = stat("\(place).sqlite", &status) == 0 && status.st_size == manifest.bytes
    return isWhole ? manifest : nil
  }

  /// Returns an error; `flaw` ends its sentence.
  fileprivate func refusal(_ flaw: String) -> WorkspaceError {
    .refused(.badData, "Shard \(number) cannot be used: \(flaw).")
  }
}

extension StoredShardPlan {
  package typealias Shard = (path: String, manifest: ShardManifest)

  package func files(ofShard number: Int, in folder: String) -> ShardFiles {
    ShardFiles(plan: self, number: number, folder: folder)
  }

  /// Returns all shards of the plan in order, each compared with its manifest; any folder may hold
  /// any shard.
  ///
  /// - Throws: `WorkspaceError.refused` with all missing shards or the first wrong one,
  ///   `WorkspaceError.file`.
  package func shards(in folders: [String]) throws -> [Shard] {
    let shards = try (1...plan.shards.count).map { ($0, try shard($0, in: folders)) }
    let missing = shards.filter { $1 == nil }.map { "\($0.0)" }
    guard missing.isEmpty else {
      throw WorkspaceError.refused(
        .tryLater,
        "These shards are not finished: \(missing.listed(5)). Run them, then try again.")
    }
    return shards.compactMap(\.1)
  }

  /// Returns a finished shard; nil when none of the folders has it.
  private func shard(_ number: Int, in folders: [String]) throws -> Shard? {
    let places = folders.map { files(ofShard: number, in: $0) }
    let found = try places.compactMap { files in try files.finished().map { (files, $0) } }
    guard let (files, manifest) = found.first else { return nil }
    guard found.count == 1 else {
      let paths = found.map(\.0.folder).joined(separator: " and ")
      throw files.refusal("it is given twice, in \(paths): leave one out")
    }
    let path = "\(files.place).sqlite"
    guard try FileDigest(ofFile: path).sha256 == manifest.sha256 else {
      throw files.refusal(
        "\(path) does not have the SHA-256 of its manifest: remove both, then run the shard again")
    }
    return (path, manifest)
  }
}
