/// What one request makes Firestore process, which an Enterprise database bills in read units; see
/// `docs/editions.md#units`.
package struct ReadVolume: Hashable, Sendable {
  /// The bytes of one read unit.
  package static let unitBytes = 4_096
  /// What an item counts at least, also when nothing of it is read, as in a count.
  package static let leastItemBytes = 32

  private var scannedBytes = 0
  private var pointUnits = 0

  package init() {}

  /// What a scan of so many bytes processes.
  package init(bytes: Int) { scannedBytes = bytes }

  /// Documents or index entries that follow each other, each of that number of bytes.
  package mutating func scan(_ count: Int = 1, bytes: Int = 0) {
    scannedBytes += count * max(Self.leastItemBytes, bytes)
  }

  /// Documents of that number of bytes each that are looked up one by one: those that an index
  /// found, and those asked for by name.
  package mutating func look(up count: Int = 1, bytes: Int = 0) {
    pointUnits += count * max(1, Self.units(bytes))
  }

  /// The read units, at least one.
  package var units: Int { max(1, pointUnits + Self.units(scannedBytes)) }

  private static func units(_ bytes: Int) -> Int { (bytes + unitBytes - 1) / unitBytes }
}
