/// Counts distinct users in spans that may overlap.
struct SpanCount {
  private let spans: [Range<Int64>]
  /// By the number of the user: a bit for each span in which the user was met.
  private var met: [UInt8] = []
  private(set) var counts: [Int]

  /// - Precondition: there are at most 8 spans.
  init(_ spans: [Range<Int64>]) {
    precondition(spans.count <= UInt8.bitWidth, "a user has a bit for each span")
    self.spans = spans
    counts = [Int](repeating: 0, count: spans.count)
  }

  mutating func add(_ user: Int, at microseconds: Int64) {
    while met.count <= user { met.append(0) }
    for (index, span) in spans.enumerated() where span.contains(microseconds) {
      let bit: UInt8 = 1 << index
      guard met[user] & bit == 0 else { continue }
      met[user] |= bit
      counts[index] += 1
    }
  }
}
