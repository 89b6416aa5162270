extension Array where Element == Int {
  /// Sums of equally many neighbours, at most so many sums; only the first may be of fewer.
  ///
  /// `of` is how many make a sum: 1 when nothing has to be folded.
  func folded(to most: Int) -> (counts: [Int], of: Int) {
    guard most > 0, count > most else { return (self, 1) }
    let size = (count + most - 1) / most
    let first = count % size
    let starts = Swift.stride(from: first, to: count, by: size)
    let sums = starts.map { self[$0..<($0 + size)].reduce(0, +) }
    return ((first > 0 ? [self[..<first].reduce(0, +)] : []) + sums, size)
  }
}
