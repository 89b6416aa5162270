import Model
import Rules
import Session

/// A popup as a block of text.
enum PopupText {
  /// Characters of the cooldown's bar.
  static let barWidth = 40

  /// What a person is told after a decision: the popup, or the reason when there is none.
  static func block(_ answer: LimitAnswer) -> String {
    guard let popup = answer.popup else { return answer.decision.reason }
    return lines(of: popup).joined(separator: "\n")
  }

  private static func lines(of popup: Popup) -> [String] {
    var lines = [popup.title, popup.description]
    if let left = popup.remainingText { lines.append("[ \(popup.action) ]  \(left)") }
    if let time = popup.timeLeftText { lines += [bar(popup.barFraction), time] }
    lines.append(
      ["[ ★ \(popup.subscribe) ]", popup.price].compactMap(\.self).joined(separator: "  "))
    return lines
  }

  /// Shrinks from right to left.
  private static func bar(_ fraction: Double) -> String {
    let filled = Int((fraction * Double(barWidth)).rounded(.up))
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: barWidth - filled)
  }
}
