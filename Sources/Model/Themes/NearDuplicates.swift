/// Groups of texts that say nearly the same: docs/feedback-themes.md#repeated-texts.
///
/// Two texts are near when their sets of shingles (pieces of four characters) have a Jaccard
/// similarity of 0.6 or more. Candidates are found by MinHash with banding (Leskovec, Rajaraman and
/// Ullman, "Mining of Massive Datasets", 3.3 and 3.4), so the cost grows with the number of texts
/// and not with its square.
package struct NearDuplicates {
  /// Jaccard similarity from which texts are near.
  package static let threshold = 0.6
  /// Texts beyond this number are in no group.
  package static let mostTexts = 10_000
  /// Characters of a text that are compared; feedback has at most 500.
  static let longestText = 512
  private static let shingleLength = 4
  /// With 20 bands of 3 rows, 99% of pairs at the threshold become candidates.
  private static let bands = 20
  private static let rows = 3
  /// Groups that one hash of a band names.
  private static let mostNamed = 4
  /// Candidates that a text is compared with: those that share most bands.
  private static let mostCandidates = 6

  private struct Leader {
    /// Sorted.
    var shingles: [UInt64]
    var members: [Int]
  }

  private var leaders: [Leader] = []
  /// Leaders by the number and the hash of a band.
  private var buckets: [UInt64: [Int]] = [:]
  private var byText: [String: Int] = [:]

  /// The groups of two texts or more, as indexes in their order; the largest first.
  ///
  /// A text joins a group whose first text it is near; the order of the texts decides which texts
  /// come first.
  package static func groups(of texts: [String]) -> [[Int]] {
    var work = NearDuplicates()
    for (index, text) in texts.prefix(mostTexts).enumerated() where !text.isEmpty {
      work.add(text, index)
    }
    return work.leaders.map(\.members).filter { $0.count > 1 }
      .sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  private mutating func add(_ text: String, _ index: Int) {
    if let same = byText[text] { return leaders[same].members.append(index) }
    let shingles = Self.shingles(of: text)
    let keys = Self.bandKeys(shingles)
    let near = candidates(keys).first {
      Self.similarity(leaders[$0].shingles, shingles) >= Self.threshold
    }
    if let near {
      leaders[near].members.append(index)
      byText[text] = near
      return
    }
    byText[text] = leaders.count
    for key in keys where buckets[key, default: []].count < Self.mostNamed {
      buckets[key, default: []].append(leaders.count)
    }
    leaders.append(Leader(shingles: shingles, members: [index]))
  }

  /// Those that share most bands first, then the oldest.
  private func candidates(_ keys: [UInt64]) -> ArraySlice<Int> {
    var shared: [Int: Int] = [:]
    for key in keys {
      for leader in buckets[key] ?? [] { shared[leader, default: 0] += 1 }
    }
    return shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
      .prefix(Self.mostCandidates)
  }

  /// Hashes of all pieces of four characters, sorted, each once; a shorter text is one piece.
  static func shingles(of text: String) -> [UInt64] {
    var hashes: [UInt64] = []
    var piece: UInt64 = 0
    for (index, scalar) in text.unicodeScalars.prefix(longestText).enumerated() {
      // The lower 16 bits of four scalars; rare signs may share them.
      piece = piece << 16 | UInt64(scalar.value & 0xFFFF)
      if index >= shingleLength - 1 { hashes.append(mixed(piece)) }
    }
    if hashes.isEmpty { hashes.append(mixed(piece)) }
    hashes.sort()
    var count = 1
    for hash in hashes.dropFirst() where hash != hashes[count - 1] {
      hashes[count] = hash
      count += 1
    }
    return Array(hashes.prefix(count))
  }

  /// The Jaccard similarity of two sorted sets; 0 for two empty ones.
  static func similarity(_ left: [UInt64], _ right: [UInt64]) -> Double {
    var (leftIndex, rightIndex, shared) = (0, 0, 0)
    while leftIndex < left.count, rightIndex < right.count {
      if left[leftIndex] == right[rightIndex] { shared += 1 }
      let (first, second) = (left[leftIndex], right[rightIndex])
      if first <= second { leftIndex += 1 }
      if second <= first { rightIndex += 1 }
    }
    let union = left.count + right.count - shared
    return union > 0 ? Double(shared) / Double(union) : 0
  }

  /// Odd factors: a product with one of them is a permutation of all hashes.
  private static let factors: [UInt64] = (1...UInt64(bands * rows)).map { mixed($0) | 1 }

  private static func bandKeys(_ shingles: [UInt64]) -> [UInt64] {
    var keys: [UInt64] = []
    for band in 0..<bands {
      var key = UInt64(band)
      for factor in factors[(band * rows)..<((band + 1) * rows)] {
        var least = UInt64.max
        for hash in shingles { least = min(least, hash &* factor) }
        key = mixed(key ^ least)
      }
      keys.append(key)
    }
    return keys
  }

  /// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): the same in every process.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
