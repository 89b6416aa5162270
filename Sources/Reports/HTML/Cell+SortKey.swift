extension Cell {
  /// The number that a page's script sorts the cell by; nil where the cell's words or time will do.
  var sortKey: String? {
    switch self {
    case .ratio(let ratio): ratio.whole > 0 ? SortKey.text(ratio.share) : nil
    case .mean(let mean): mean.value.map(SortKey.text)
    case .change(let change): SortKey.text(change.growth)
    case .seconds(let seconds): SortKey.text(seconds)
    case .money(let amount, _): SortKey.text(amount)
    case .level(let level, _): Level.allCases.firstIndex(of: level).map(String.init)
    case .stars(let stars): String(stars)
    case .countdown(let remaining, _): SortKey.text(remaining)
    case .text, .code, .count, .day, .pastDay, .instant, .trend, .missing: nil
    }
  }
}

extension Change {
  /// The difference as a part of the previous number; from nothing more than any other.
  fileprivate var growth: Double {
    guard previous > 0 else { return current > 0 ? 1_000_000_000 : 0 }
    return Double(difference) / Double(previous)
  }
}

private enum SortKey {
  /// A number as JavaScript reads it, to the millionth.
  static func text(_ number: Double) -> String {
    let rounded = (number * 1_000_000).rounded() / 1_000_000
    guard let whole = Int(exactly: rounded) else { return "\(rounded)" }
    return "\(whole)"
  }
}
