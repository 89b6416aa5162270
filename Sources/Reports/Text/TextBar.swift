/// Bars and sparklines out of block characters.
enum TextBar {
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let steps = Array("▁▂▃▄▅▆▇█")

  /// A bar to an eighth of a column; a share above nothing is at least the thinnest.
  static func bar(share: Double, width: Int) -> String {
    let share = min(max(share, 0), 1)
    let filled = max(share > 0 ? 1 : 0, Int((share * Double(width * 8)).rounded()))
    return String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  }

  /// One character a value, the tallest the largest; a space where there is none.
  static func sparkline(_ values: [Double?]) -> String {
    let most = values.compactMap { $0 }.max() ?? 0
    return values.map { value in
      guard let value else { return " " }
      guard most > 0, value > 0 else { return String(steps[0]) }
      return String(steps[min(7, Int(value / most * 7.999))])
    }.joined()
  }
}
