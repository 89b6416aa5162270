import Firestore

/// The order of integers and doubles among each other, exact also where a double has gaps.
enum NumberOrder {
  /// Compares two numbers; NaN comes before all others, -0.0 equals 0.
  ///
  /// - Precondition: Both are integers or doubles; anything else counts as equal.
  static func compare(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): ValueOrder.three(left, right)
    case (.double(let left), .double(let right)): compare(left, right)
    case (.integer(let left), .double(let right)): compare(left, right)
    case (.double(let left), .integer(let right)): -compare(right, left)
    default: 0
    }
  }

  private static func compare(_ left: Double, _ right: Double) -> Int {
    guard left.isNaN || right.isNaN else { return ValueOrder.three(left, right) }
    return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1)
  }

  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN { return 1 }
    let whole = right.rounded(.down)
    guard let floor = Int64(exactly: whole) else { return right > 0 ? -1 : 1 }
    guard left == floor else { return left < floor ? -1 : 1 }
    return whole < right ? -1 : 0
  }
}
