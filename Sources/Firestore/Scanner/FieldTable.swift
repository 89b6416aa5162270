/// The names of wanted fields, found by their bytes without hashing a string.
struct FieldTable: Sendable {
  private static let bucketCount = 64

  /// All names one after the other.
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]
  /// For each bucket the first name in it, and for each name the next one in its bucket; -1 ends.
  private let first: [Int]
  private let following: [Int]

  var count: Int { ranges.count }

  init(_ names: [String]) {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    var first = [Int](repeating: -1, count: FieldTable.bucketCount)
    var following: [Int] = []
    for name in names {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      ranges.append(start..<bytes.count)
      let bucket = bytes.withUnsafeBytes { buffer in
        FieldTable.bucket(UnsafeRawBufferPointer(rebasing: buffer[start...]))
      }
      following.append(first[bucket])
      first[bucket] = ranges.count - 1
    }
    self.bytes = bytes
    self.ranges = ranges
    self.first = first
    self.following = following
  }

  /// The next position whose name is `key`, after `previous`; -1 when there is none (more).
  @inline(__always)
  func position(of key: UnsafeRawBufferPointer, after previous: Int = -1) -> Int {
    var position = previous < 0 ? first[FieldTable.bucket(key)] : following[previous]
    while position >= 0, !matches(ranges[position], key) { position = following[position] }
    return position
  }

  @inline(__always)
  private func matches(_ range: Range<Int>, _ key: UnsafeRawBufferPointer) -> Bool {
    guard range.count == key.count else { return false }
    for offset in 0..<key.count where bytes[range.lowerBound + offset] != key[offset] {
      return false
    }
    return true
  }

  /// From the length and the bytes at both ends, which differ among the names of one document.
  @inline(__always)
  private static func bucket(_ key: UnsafeRawBufferPointer) -> Int {
    guard key.count > 0 else { return 0 }
    let middle = Int(key[key.count / 2])
    return (key.count &* 7 &+ Int(key[0]) &+ middle &* 3 &+ Int(key[key.count - 1]) &* 5)
      & (bucketCount - 1)
  }
}
