/// The amount of data that Firestore processes for one request, which an Enterprise database bills
/// in read units; see `docs/editions.md#units`.
package struct ReadVolume: Hashable, Sendable {
  /// The size of a read unit in bytes.
  package static let unitBytes = 4_096
  /// The smallest size of an item in bytes, also in a count, which reads nothing of it.
  package static let leastItemBytes = 32

  private var scannedBytes = 0
  private var pointUnits = 0

  package init() {}

  /// Creates the volume of a scan of this many bytes.
  package init(bytes: Int) { scannedBytes = bytes }

  /// Adds documents or index entries that follow each other, of `bytes` bytes each.
  package mutating func scan(_ count: Int = 1, bytes: Int = 0) {
    scannedBytes += count * max(Self.leastItemBytes, bytes)
  }

  /// Adds documents of `bytes` bytes each that are looked up one by one: by an index, or by name.
  package mutating func look(up count: Int = 1, bytes: Int = 0) {
    pointUnits += count * max(1, Self.units(bytes))
  }

  /// The read units, at least one.
  package var units: Int { max(1, pointUnits + Self.units(scannedBytes)) }

  private static func units(_ bytes: Int) -> Int { (bytes + unitBytes - 1) / unitBytes }
}
