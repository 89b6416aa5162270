import Foundation
import Glibc
import Model
import Store
package import Sync

/// What stands beside the file of a finished shard; see `docs/shards.md#manifest`.
///
/// A shard is finished when both are there.
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

/// A folder with finished shards of a plan, and those that are being read; see
/// `docs/shards.md#files`.
package struct ShardFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// `shard-0003`, to which `.sqlite` and `.json` are added.
  static func name(of number: Int) -> String { String(format: "shard-%04ld", number) }

  /// The files of a finished shard, and those of an attempt, without their endings.
  func place(of number: Int) -> String { "\(path)/\(Self.name(of: number))" }
  func draft(of number: Int) -> String { "\(path)/.\(Self.name(of: number))" }

  /// The manifest of a finished shard; nil while it is not finished.
  ///
  /// The file is not read: the gathering does that. One that is gone or truncated is made anew.
  ///
  /// - Throws: `JobsError.refused` for a shard of another plan, `JobsError.file`.
  package func finished(_ number: Int, of plan: StoredShardPlan) throws -> ShardManifest? {
    do {
      return try manifest(number, of: plan)
    } catch JobsError.refused(.tryLater, _) {
      return nil
    } catch JobsError.refused(_, let flaw) {
      throw JobsError.unusable([flaw])
    }
  }

  /// The manifest of a plan's shard; nil when the folder has none of that number.
  ///
  /// - Throws: `JobsError.refused` with the end of a sentence, which says what to do about what does
  ///   not go by itself; `.tryLater` for a shard that may come yet. `JobsError.file`.
  fileprivate func manifest(_ number: Int, of plan: StoredShardPlan) throws -> ShardManifest? {
    let place = place(of: number)
    let found: ShardManifest?
    do {
      found = try FileContents.decoded(
        ShardManifest.self, from: "\(place).json", limit: ShardManifest.mostBytes)
    } catch is DecodingError {
      throw JobsError.refused(
        .badData,
        "\(place).json is no manifest of a shard, or of another version's: remove it, then run the "
          + "shard again")
    }
    guard let manifest = found else { return nil }
    guard manifest.format == ShardManifest.currentFormat else {
      throw JobsError.refused(
        .badData,
        "\(place).json has format \(manifest.format), and this firetally knows "
          + "\(ShardManifest.currentFormat): use firetally \(manifest.firetally)")
    }
    guard manifest.plan == plan.digest, manifest.shard == number else {
      throw JobsError.refused(
        .badData, "\(place) is of another plan: give the folder of this one")
    }
    guard manifest.schema == Store.schemaVersion else {
      throw JobsError.refused(
        .badData,
        "\(place) has schema \(manifest.schema) of firetally \(manifest.firetally), and this one "
          + "has \(Store.schemaVersion): run and gather all shards with one version")
    }
    var status = stat()
    guard stat("\(place).sqlite", &status) == 0 else {
      throw JobsError.refused(.tryLater, "\(place).sqlite is missing")
    }
    let size = Int64(status.st_size)
    guard size == manifest.bytes else {
      let reason = "\(place).sqlite has \(size) bytes, and its manifest says \(manifest.bytes)"
      throw size < manifest.bytes
        ? JobsError.refused(.tryLater, reason)
        : .refused(.badData, "\(reason): remove both, then run the shard again")
    }
    return manifest
  }
}

extension StoredShardPlan {
  package typealias Shard = (path: String, manifest: ShardManifest)

  /// All shards of the plan in its order, each compared with its manifest; a folder may hold any.
  ///
  /// - Throws: `JobsError.refused` with all that is missing or wrong, `JobsError.file`.
  package func shards(in folders: [String]) throws -> [Shard] {
    var flaws: [JobsError.Category: [String]] = [:]
    var shards: [Shard] = []
    for number in 1...plan.shards.count {
      do {
        shards.append(try shard(number, in: folders.map { ShardFolder($0) }))
      } catch JobsError.refused(let category, let flaw) {
        flaws[category, default: []].append(flaw)
      }
    }
    if let flaws = flaws[.badData] { throw JobsError.unusable(flaws) }
    guard let missing = flaws[.tryLater] else { return shards }
    throw JobsError.refused(
      .tryLater,
      "Not every shard is finished: \(missing.fiveAtMost). Run what is missing, then try again.")
  }

  private func shard(_ number: Int, in folders: [ShardFolder]) throws -> Shard {
    let found = try folders.compactMap { folder in
      try folder.manifest(number, of: self).map { (folder, $0) }
    }
    guard let (folder, manifest) = found.first else {
      throw JobsError.refused(.tryLater, "shard \(number) is missing")
    }
    guard found.count == 1 else {
      throw JobsError.refused(
        .badData,
        "shard \(number) is given twice, in \(found.map(\.0.path).joined(separator: " and ")): "
          + "leave one out")
    }
    let path = "\(folder.place(of: number)).sqlite"
    guard try FileDigest(ofFile: path).sha256 == manifest.sha256 else {
      throw JobsError.refused(
        .badData,
        "\(path) does not have the SHA-256 of its manifest: remove both, then run the shard again")
    }
    return (path, manifest)
  }
}

extension JobsError {
  fileprivate static func unusable(_ flaws: [String]) -> JobsError {
    .refused(.badData, "Shards cannot be used: \(flaws.fiveAtMost).")
  }
}

extension [String] {
  fileprivate var fiveAtMost: String {
    prefix(5).joined(separator: "; ") + (count > 5 ? "; and \(count - 5) more" : "")
  }
}
