import Foundation
import Store

/// How far a gathering got, stored in the table `marks` under the job's name.
struct GatherState: Codable, Hashable, Sendable {
  /// The SHA-256 of the plan.
  var plan: String
  /// The index of the shard that comes next, and the last row of it that is stored.
  var shard = 0
  var row: Int64 = 0
  var inserted = 0
  var updated = 0
  var erased = 0

  init(_ plan: String) {
    self.plan = plan
  }

  static func name(of job: String) -> String { "gather of \(job)" }

  /// Nil without one, and for one of another version of the program.
  static func stored(named name: String, in reader: some Readable) throws -> GatherState? {
    guard let text = try reader.metadata(named: name) else { return nil }
    do {
      return try JSONDecoder().decode(GatherState.self, from: Data(text.utf8))
    } catch is DecodingError {
      return nil
    }
  }

  func save(named name: String, in writer: Writer) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try writer.setMetadata(
      String(decoding: try encoder.encode(self), as: UTF8.self), named: name)
  }

  mutating func endShard() {
    shard += 1
    row = 0
  }
}
