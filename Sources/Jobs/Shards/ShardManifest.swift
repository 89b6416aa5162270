import Foundation
import Glibc
import Model
import Store
package import Sync

/// What stands beside the file of a finished shard; see `docs/shards.md#manifest`.
///
/// A shard is finished when both are there.
package struct ShardManifest: Codable, Hashable, Sendable {
  package static let currentFormat = 1
  /// A thousand fields with twelve kinds, and some hundred bytes.
  private static let mostBytes = 4 << 20

  package var format = Self.currentFormat
  /// The SHA-256 of the plan.
  package var plan: String
  /// From 1.
  package var shard: Int
  package var shards: Int
  /// The name of the file.
  package var file: String
  package var bytes: Int64
  /// The SHA-256 of the file, in hexadecimal.
  package var sha256: String
  /// The schema of the file, and the version of the program that made it.
  package var schema: Int
  package var firetally: String
  /// Rows by table.
  package var rows: [String: Int]
  /// Billed reads of all attempts, and what else went over the wire in the last one.
  package var reads: Int
  package var requests: Int
  package var retries: Int
  package var receivedBytes: Int
  /// What was read.
  package var progress: PullProgress
}

extension ShardManifest {
  /// Reads a manifest; nil when there is none.
  ///
  /// - Throws: `FileFailure`, or `DecodingError` for a file that is no manifest.
  static func read(_ path: String) throws -> ShardManifest? {
    try FileContents.decoded(ShardManifest.self, from: path, limit: mostBytes)
  }

  var json: [UInt8] {
    get throws { try FileContents.json(of: self) }
  }
}

/// Why a shard cannot be used: yet, which is `tryLater`, or ever.
struct ShardFlaw: Error {
  let category: JobsError.Category
  /// Ends a sentence, with what to do about what does not go by itself.
  let reason: String

  static func unfinished(_ reason: String) -> ShardFlaw {
    .init(category: .tryLater, reason: reason)
  }
  static func unusable(_ reason: String) -> ShardFlaw { .init(category: .badData, reason: reason) }
}

extension JobsError {
  private static let mostListed = 5

  /// The flaws of some shards, one at least; of those to wait for only when there is nothing else.
  static func flawed(_ flaws: [ShardFlaw]) -> JobsError {
    let unusable = flaws.filter { $0.category != .tryLater }
    let told = unusable.isEmpty ? flaws : unusable
    let rest = told.count - mostListed
    let list =
      told.prefix(mostListed).map(\.reason).joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
    return unusable.isEmpty
      ? .shards(
        .tryLater,
        "Not every shard is finished: \(list). Run what is missing, then try again.")
      : .shards(.badData, "Shards cannot be used: \(list).")
  }

  /// Does something with files whose refusals are of the system.
  ///
  /// - Throws: `JobsError.file` for those, and what `body` throws.
  static func ofFiles<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let failure as FileFailure {
      throw JobsError.file(failure)
    }
  }
}

extension ShardManifest {
  /// The manifest of a plan's shard in a folder; nil when the folder has none of that number.
  ///
  /// - Throws: `ShardFlaw`, also when the file does not have the size that the manifest says.
  static func sound(
    _ number: Int, of plan: StoredShardPlan, in folder: String
  ) throws -> ShardManifest? {
    let place = "\(folder)/\(ShardFolder.name(of: number))"
    let found: ShardManifest?
    do {
      found = try read("\(place).json")
    } catch is DecodingError {
      throw ShardFlaw.unusable(
        "\(place).json is no manifest of a shard: remove it, then run the shard again")
    }
    guard let manifest = found else { return nil }
    guard manifest.format == currentFormat else {
      throw ShardFlaw.unusable(
        "\(place).json has format \(manifest.format), and this firetally knows \(currentFormat): use "
          + "firetally \(manifest.firetally)")
    }
    guard manifest.plan == plan.digest, manifest.shard == number,
      manifest.shards == plan.plan.shards.count
    else { throw ShardFlaw.unusable("\(place) is of another plan: give the folder of this one") }
    guard manifest.schema == Store.schemaVersion else {
      throw ShardFlaw.unusable(
        "\(place) has schema \(manifest.schema) of firetally \(manifest.firetally), and this one "
          + "has \(Store.schemaVersion): run and gather all shards with one version")
    }
    var status = stat()
    guard stat("\(place).sqlite", &status) == 0 else {
      throw ShardFlaw.unfinished("\(place).sqlite is missing")
    }
    let size = Int64(status.st_size)
    guard size == manifest.bytes else {
      let reason = "\(place).sqlite has \(size) bytes, and its manifest says \(manifest.bytes)"
      guard size > manifest.bytes else { throw ShardFlaw.unfinished(reason) }
      throw ShardFlaw.unusable("\(reason): remove both, then run the shard again")
    }
    return manifest
  }
}
