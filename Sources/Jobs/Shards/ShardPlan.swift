import Crypto
import Firestore
import Foundation
package import Model
package import Workspace

/// A division of one load among processes; see `docs/shards.md#plan`.
///
/// It is a file that the shards and the gathering read. Its SHA-256 identifies the plan.
package struct ShardPlan: Codable, Hashable, Sendable {
  /// One range of document names.
  package struct Shard: Codable, Hashable, Sendable {
    /// The first name of the range; nil for the beginning.
    package var from: String?
    /// The first name after the range; nil for the end.
    package var to: String?
    /// Its documents at the snapshot; nil when they were not counted.
    package var documents: Int?
    /// The billed reads of its documents; nil when they were not counted.
    package var reads: Int?
    /// The price of these reads, in the plan's currency; nil when they were not counted.
    package var price: Double?

    /// Whether the shard has nothing to read, because there were fewer ranges than shards.
    ///
    /// A query without results would cost one read.
    package var isEmpty: Bool { reads == 0 }
  }

  /// The largest number of shards of a plan: the limit of Slurm.
  package static let mostShards = 10_000
  /// The largest size of a plan or a manifest, in bytes.
  static let mostBytes = 64 << 20

  package var format = ShardFormat.current
  package var job: String
  /// The SHA-256 of everything that determines the rows of the documents.
  package var fingerprint: String
  package var project: String
  package var database: String
  /// The time of `synced_at`, and of every rule that depends on the time.
  package var clock: Instant
  /// The snapshot that all shards read.
  package var readTime: Instant
  /// The time at which the server drops the snapshot.
  package var expires: Instant
  /// The app user whose own document is left out; nil for none.
  package var owner: String?
  package var currency: String
  /// The edition of the database, which determines the unit of the reads; nil for Standard in plans
  /// of earlier versions.
  package var edition: FirestoreEdition?
  package var shards: [Shard]
}

/// The format of a plan and of a manifest; other formats cannot be read.
package enum ShardFormat: Int, Codable, Sendable {
  case current = 1
}

/// A plan as read from a file.
package struct StoredShardPlan: Sendable {
  package let plan: ShardPlan
  /// The SHA-256 of the file, in hexadecimal.
  package let digest: String
}

extension ShardPlan {
  /// The billed reads of all shards and their price; nil when they were not counted.
  package var reads: Int? { total(\.reads) }
  package var price: Double? { total(\.price) }

  /// The plural of the unit of its reads.
  package var noun: String { "\((edition ?? .standard).readNoun)s" }

  private func total<Number: Numeric>(_ part: (Shard) -> Number?) -> Number? {
    let parts = shards.compactMap(part)
    return parts.count == shards.count ? parts.reduce(0, +) : nil
  }

  var root: ResourceName { ResourceName(project: project, database: database) }

  /// Writes the plan atomically.
  package func write(to file: DraftFile) throws {
    try StoredJSON.file(of: self).withUnsafeBytes { bytes throws in try file.write(bytes) }
    try file.finish()
  }

  /// - Throws: `WorkspaceError.refused` for a file that is not a plan, `WorkspaceError.file`.
  package static func read(_ path: String) throws -> StoredShardPlan {
    let bytes = try FileContents.bytes(of: path, limit: mostBytes)
    do {
      let plan = try JSONDecoder().decode(ShardPlan.self, from: Data(bytes))
      if plan.isSound { return StoredShardPlan(plan: plan, digest: SHA256.text(of: bytes)) }
    } catch is DecodingError {}
    throw WorkspaceError.refused(
      .badData,
      "\(path) cannot be used: it is not a plan of shards, or another version made it. Make a plan with "
        + "`firetally shard plan`.")
  }

  /// Whether the ranges follow each other, from the first name to the last.
  private var isSound: Bool {
    let full = shards.filter { !$0.isEmpty }
    return !full.isEmpty && full.first?.from == nil && full.last?.to == nil
      && zip(full, full.dropFirst()).allSatisfy { $0.to != nil && $0.to == $1.from }
  }

  /// Returns the number of a process's shard, from 1; see `docs/shards.md#number`.
  ///
  /// - Throws: `WorkspaceError.refused` when there is none, when it is beyond the plan, and when
  ///   the array's count differs.
  package static func number(
    option: String?, environment: [String: String], of count: Int
  ) throws(WorkspaceError) -> Int {
    let source = option == nil ? "FIRETALLY_SHARD" : "--shard"
    let text = option ?? environment[source] ?? ""
    if option == nil, text.isEmpty {
      throw .refused(
        .usage,
        "Nothing says which shard this is: give --shard 3/\(count), or set FIRETALLY_SHARD to its "
          + "number, from 1.")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, let number = parts[0], let told = parts.count == 1 ? count : parts[1]
    else {
      throw .refused(.usage, "\(source) takes a number and a count such as 3/8, not '\(text)'.")
    }
    guard told == count, (1...count).contains(number) else {
      throw .refused(
        .usage,
        "\(source) names shard \(number) of \(told), and the plan has shards 1 to \(count). Start "
          + "\(count) tasks, or correct the number.")
    }
    return number
  }
}
