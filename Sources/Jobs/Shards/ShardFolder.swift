import Glibc
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

/// A folder with finished shards of a plan, and those that are being read; see
/// `docs/shards.md#files`.
package struct ShardFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// `shard-0003`, to which `.sqlite` and `.json` are added.
  static func name(of number: Int) -> String {
    let digits = String(number)
    return "shard-\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
  }

  /// The file of a shard that is exported, whose folder is made.
  ///
  /// - Parameters:
  ///   - number: of the shard, from 1.
  ///   - child: a child table, which has a folder of its own; nil for the table of the job.
  ///   - ending: such as `ndjson.gz`.
  ///   - mode: of the folder.
  /// - Returns: the file's path.
  /// - Throws: `JobsError.file`.
  package func export(
    of number: Int, child: String?, ending: String, mode: FileMode
  ) throws -> String {
    let folder = child.map { "\(path)/\($0)" } ?? path
    for folder in [path, folder] { try FileContents.makeFolder(folder, mode: mode) }
    return "\(folder)/\(Self.name(of: number)).\(ending)"
  }

  /// The manifest of a finished shard; nil while it is not finished.
  ///
  /// The file is not read: the gathering does that.
  ///
  /// - Throws: `JobsError.shards` for a shard of another plan, `JobsError.file`.
  package func finished(_ number: Int, of plan: StoredShardPlan) throws -> ShardManifest? {
    do {
      return try manifest(number, of: plan)
    } catch let flaw as ShardFlaw {
      // A file that is gone or truncated is made anew.
      if flaw.isTemporary { return nil }
      throw JobsError.flawed([flaw])
    }
  }

  /// The manifest of a plan's shard; nil when the folder has none of that number.
  ///
  /// - Throws: `ShardFlaw`, also when the file does not have the size that the manifest says.
  fileprivate func manifest(_ number: Int, of plan: StoredShardPlan) throws -> ShardManifest? {
    let place = "\(path)/\(Self.name(of: number))"
    let found: ShardManifest?
    do {
      found = try FileContents.decoded(
        ShardManifest.self, from: "\(place).json", limit: ShardManifest.mostBytes)
    } catch is DecodingError {
      throw ShardFlaw(
        "\(place).json is no manifest of a shard: remove it, then run the shard again")
    }
    guard let manifest = found else { return nil }
    guard manifest.format == ShardManifest.currentFormat else {
      throw ShardFlaw(
        "\(place).json has format \(manifest.format), and this firetally knows "
          + "\(ShardManifest.currentFormat): use firetally \(manifest.firetally)")
    }
    guard manifest.plan == plan.digest, manifest.shard == number,
      manifest.shards == plan.plan.shards.count
    else { throw ShardFlaw("\(place) is of another plan: give the folder of this one") }
    guard manifest.schema == Store.schemaVersion else {
      throw ShardFlaw(
        "\(place) has schema \(manifest.schema) of firetally \(manifest.firetally), and this one "
          + "has \(Store.schemaVersion): run and gather all shards with one version")
    }
    var status = stat()
    guard stat("\(place).sqlite", &status) == 0 else {
      throw ShardFlaw("\(place).sqlite is missing", isTemporary: true)
    }
    let size = Int64(status.st_size)
    guard size == manifest.bytes else {
      let reason = "\(place).sqlite has \(size) bytes, and its manifest says \(manifest.bytes)"
      throw size < manifest.bytes
        ? ShardFlaw(reason, isTemporary: true)
        : ShardFlaw("\(reason): remove both, then run the shard again")
    }
    return manifest
  }
}

extension StoredShardPlan {
  /// All shards of the plan in its order, each compared with its manifest.
  ///
  /// - Parameter folders: where they are; a folder may hold any of them.
  /// - Returns: the file of each shard, with its manifest.
  /// - Throws: `JobsError.shards` with all that is missing or wrong, `JobsError.file`.
  package func shards(
    in folders: [String]
  ) throws -> [(path: String, manifest: ShardManifest)] {
    var flaws: [ShardFlaw] = []
    let shards = try (1...plan.shards.count).compactMap { number in
      do {
        return try shard(number, in: folders)
      } catch let flaw as ShardFlaw {
        flaws.append(flaw)
        return nil
      }
    }
    guard flaws.isEmpty else { throw JobsError.flawed(flaws) }
    return shards
  }

  private func shard(
    _ number: Int, in folders: [String]
  ) throws -> (path: String, manifest: ShardManifest) {
    let found = try folders.compactMap { folder in
      try ShardFolder(folder).manifest(number, of: self).map { (folder: folder, manifest: $0) }
    }
    guard let (folder, manifest) = found.first else {
      throw ShardFlaw("shard \(number) is missing", isTemporary: true)
    }
    guard found.count == 1 else {
      throw ShardFlaw(
        "shard \(number) is given twice, in \(found.map(\.folder).joined(separator: " and ")): "
          + "leave one out")
    }
    let path = "\(folder)/\(ShardFolder.name(of: number)).sqlite"
    guard try FileDigest(ofFile: path).sha256 == manifest.sha256 else {
      throw ShardFlaw(
        "\(path) does not have the SHA-256 of its manifest: remove both, then run the shard again")
    }
    return (path, manifest)
  }
}

/// Why a shard cannot be used.
private struct ShardFlaw: Error {
  /// Ends a sentence, with what to do about what does not go by itself.
  let reason: String
  /// Whether the shard may come yet.
  let isTemporary: Bool

  init(_ reason: String, isTemporary: Bool = false) {
    (self.reason, self.isTemporary) = (reason, isTemporary)
  }
}

extension JobsError {
  /// The flaws of some shards, five at most; temporary ones only when there are no others.
  fileprivate static func flawed(_ flaws: [ShardFlaw]) -> JobsError {
    let isTemporary = flaws.allSatisfy(\.isTemporary)
    let reasons = flaws.filter { $0.isTemporary == isTemporary }.map(\.reason)
    let list =
      reasons.prefix(5).joined(separator: "; ")
      + (reasons.count > 5 ? "; and \(reasons.count - 5) more" : "")
    return isTemporary
      ? .shards(
        .tryLater, "Not every shard is finished: \(list). Run what is missing, then try again.")
      : .shards(.badData, "Shards cannot be used: \(list).")
  }
}
