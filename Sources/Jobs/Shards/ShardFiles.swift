import Foundation
import Glibc
import Model
import Store
package import Sync

/// What stands beside the database of a finished shard; see `docs/shards.md#manifest`.
package struct ShardManifest: Codable, Hashable, Sendable {
  fileprivate static let currentFormat = 1
  /// A thousand fields with twelve kinds, and some hundred bytes.
  fileprivate static let mostBytes = 4 << 20

  package var format = Self.currentFormat
  /// The SHA-256 of the plan.
  package var plan: String
  /// From 1.
  package var shard: Int
  package var shards: Int
  package var file: String
  package var bytes: Int64
  /// The SHA-256 of the file, in hexadecimal.
  package var sha256: String
  /// The schema of the file, and the version of the program that made it.
  package var schema = Store.schemaVersion
  package var firetally = ProgramVersion.current
  /// Rows by table.
  package var rows: [String: Int]
  /// Billed reads of all attempts, and what else went over the wire in the last one.
  package var reads: Int
  package var requests: Int
  package var retries: Int
  package var receivedBytes: Int
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
  /// The database is not read: the gathering does that. One that is gone or truncated is made anew.
  package func finished() throws -> ShardManifest? {
    do {
      return try manifest()
    } catch ShardFlaw.missing {
      return nil
    } catch ShardFlaw.unusable(let flaw) {
      throw ShardFlaw.refusal([flaw])
    }
  }

  /// Nil when the folder has no manifest of that number.
  fileprivate func manifest() throws -> ShardManifest? {
    let found: ShardManifest?
    do {
      found = try FileContents.decoded(
        ShardManifest.self, from: "\(place).json", limit: ShardManifest.mostBytes)
    } catch is DecodingError {
      throw ShardFlaw.unusable(
        "\(place).json is no manifest of a shard, or of another version's: remove it, then run the "
          + "shard again")
    }
    guard let manifest = found else { return nil }
    guard manifest.format == ShardManifest.currentFormat else {
      throw ShardFlaw.unusable(
        "\(place).json has format \(manifest.format), and this firetally knows "
          + "\(ShardManifest.currentFormat): use firetally \(manifest.firetally)")
    }
    guard manifest.plan == plan.digest, manifest.shard == number else {
      throw ShardFlaw.unusable("\(place) is of another plan: give the folder of this one")
    }
    guard manifest.schema == Store.schemaVersion else {
      throw ShardFlaw.unusable(
        "\(place) has schema \(manifest.schema) of firetally \(manifest.firetally), and this one "
          + "has \(Store.schemaVersion): run and gather all shards with one version")
    }
    var status = stat()
    guard stat("\(place).sqlite", &status) == 0 else {
      throw ShardFlaw.missing("\(place).sqlite is missing")
    }
    let size = status.st_size
    let sizes = "\(place).sqlite has \(size) bytes, and its manifest says \(manifest.bytes)"
    guard size >= manifest.bytes else { throw ShardFlaw.missing(sizes) }
    guard size == manifest.bytes else {
      throw ShardFlaw.unusable("\(sizes): remove both, then run the shard again")
    }
    return manifest
  }
}

extension StoredShardPlan {
  package typealias Shard = (path: String, manifest: ShardManifest)

  package func files(ofShard number: Int, in folder: String) -> ShardFiles {
    ShardFiles(plan: self, number: number, folder: folder)
  }

  /// All shards of the plan in its order, each compared with its manifest; a folder may hold any.
  ///
  /// - Throws: `JobsError.refused` with all that is missing or wrong, `JobsError.file`.
  package func shards(in folders: [String]) throws -> [Shard] {
    var (shards, missing, unusable) = ([Shard](), [String](), [String]())
    for number in 1...plan.shards.count {
      do {
        shards.append(try shard(number, in: folders))
      } catch ShardFlaw.missing(let flaw) {
        missing.append(flaw)
      } catch ShardFlaw.unusable(let flaw) {
        unusable.append(flaw)
      }
    }
    guard unusable.isEmpty else { throw ShardFlaw.refusal(unusable) }
    guard !missing.isEmpty else { return shards }
    throw JobsError.refused(
      .tryLater,
      "Not every shard is finished: \(missing.fiveAtMost). Run what is missing, then try again.")
  }

  private func shard(_ number: Int, in folders: [String]) throws -> Shard {
    let found = try folders.compactMap { folder in
      try files(ofShard: number, in: folder).manifest().map { (folder, $0) }
    }
    guard let (folder, manifest) = found.first else {
      throw ShardFlaw.missing("shard \(number) is missing")
    }
    guard found.count == 1 else {
      let paths = found.map(\.0).joined(separator: " and ")
      throw ShardFlaw.unusable("shard \(number) is given twice, in \(paths): leave one out")
    }
    let path = "\(files(ofShard: number, in: folder).place).sqlite"
    guard try FileDigest(ofFile: path).sha256 == manifest.sha256 else {
      throw ShardFlaw.unusable(
        "\(path) does not have the SHA-256 of its manifest: remove both, then run the shard again")
    }
    return (path, manifest)
  }
}

/// What keeps the files of a shard from being taken, as the end of a sentence.
private enum ShardFlaw: Error {
  /// The shard may come yet.
  case missing(String)
  case unusable(String)

  static func refusal(_ flaws: [String]) -> JobsError {
    .refused(.badData, "Shards cannot be used: \(flaws.fiveAtMost).")
  }
}

extension [String] {
  fileprivate var fiveAtMost: String {
    prefix(5).joined(separator: "; ") + (count > 5 ? "; and \(count - 5) more" : "")
  }
}
