package import Firestore
import Foundation
import Glibc
import Model
import Store
package import Sync
import Workspace

/// What stands beside the database of a finished shard; see `docs/shards.md#manifest`.
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
  /// The schema of the file, and the version of the program that made it.
  package var schema = Store.schemaVersion
  package var firetally = ProgramVersion.current
  /// Rows by table.
  package var rows: [String: Int]
  /// What went over the wire in the last attempt, with the billed reads of all.
  package var traffic: Traffic
  package var progress: PullResult
}

/// The files of one shard in a folder; see `docs/shards.md#files`.
///
/// The shard is finished when its database and its manifest are both there.
package struct ShardFiles: Sendable {
  let plan: StoredShardPlan
  let number: Int
  let folder: String

  /// `shard-0003`, to which `.sqlite` and `.json` are added.
  var name: String { String(format: "shard-%04ld", number) }
  /// The finished files, and those of an attempt, without their endings.
  var place: String { "\(folder)/\(name)" }
  var draft: String { "\(folder)/.\(name)" }

  /// The manifest of a finished shard; nil while it is not finished.
  ///
  /// The database is not read: the gathering does that. One that is gone or has another size is
  /// made anew.
  ///
  /// - Throws: `JobsError.refused` for a manifest of something else.
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

  /// The flaw ends the sentence.
  fileprivate func refusal(_ flaw: String) -> JobsError {
    .refused(.badData, "Shard \(number) cannot be used: \(flaw).")
  }
}

extension StoredShardPlan {
  package typealias Shard = (path: String, manifest: ShardManifest)

  package func files(ofShard number: Int, in folder: String) -> ShardFiles {
    ShardFiles(plan: self, number: number, folder: folder)
  }

  /// All shards of the plan in its order, each compared with its manifest; a folder may hold any.
  ///
  /// - Throws: `JobsError.refused` with all that are missing or the first that is wrong,
  ///   `JobsError.file`.
  package func shards(in folders: [String]) throws -> [Shard] {
    let shards = try (1...plan.shards.count).map { ($0, try shard($0, in: folders)) }
    let missing = shards.filter { $1 == nil }.map { "\($0.0)" }
    guard missing.isEmpty else {
      throw JobsError.refused(
        .tryLater,
        "These shards are not finished: \(missing.listed(5)). Run them, then try again.")
    }
    return shards.compactMap(\.1)
  }

  /// Nil for one that is not finished in any of the folders.
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
