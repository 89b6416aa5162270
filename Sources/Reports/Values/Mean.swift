/// An average with the number of values that it is the average of.
package struct Mean: Hashable, Sendable {
  package var total: Int
  package var count: Int

  package init(total: Int = 0, count: Int = 0) {
    self.total = total
    self.count = count
  }

  package mutating func add(_ value: Int) {
    total += value
    count += 1
  }

  package var isSmall: Bool { count < Ratio.smallWhole }

  /// Rounded to two decimals, as every format gives it; nil of nothing.
  package var value: Double? {
    count > 0 ? (100 * Double(total) / Double(count)).rounded() / 100 : nil
  }
}
