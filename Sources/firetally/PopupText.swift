import App
import Jobs
import Model
import Reports

enum PopupText {
  /// The width of the cooldown's bar in characters, if there is room.
  static let barWidth = 40

  /// Returns the text after a decision: the popup, or the reason if there is no popup.
  static func block(_ check: LimitCheck) -> String {
    lines(check).joined(separator: "\n")
  }

  /// Prints the popup of an allowed use for people; prints nothing without a popup.
  static func print(on output: Output) -> (LimitCheck) -> Void {
    { check in
      guard check.popup != nil else { return }
      output.remark(block(check) + "\n")
    }
  }

  /// Returns the lines of the block; with a width, texts are wrapped to that number of columns.
  static func lines(_ check: LimitCheck, width: Int? = nil) -> [String] {
    let texts = check.popup.map { parts(of: $0, width: width) } ?? [check.result.reason]
    // Names and prices come from files; their control characters must not reach the terminal.
    let visible = texts.map(VisibleText.line)
    guard let width else { return visible }
    return visible.flatMap { wrapped($0, to: width) }
  }

  private static func parts(of popup: Popup, width: Int?) -> [String] {
    var lines = [popup.title, popup.description]
    if let left = popup.remainingText { lines.append("[ \(popup.action) ]  \(left)") }
    if let time = popup.timeLeftText {
      lines += [bar(popup.barFraction, width: min(barWidth, width ?? barWidth)), time]
    }
    lines.append(
      ["[ ★ \(popup.subscribe) ]", popup.price].compactMap(\.self).joined(separator: "  "))
    return lines
  }

  /// Returns the bar, which shrinks from right to left.
  private static func bar(_ fraction: Double, width: Int) -> String {
    let filled = Int((fraction * Double(width)).rounded(.up))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
  }

  /// Wraps a line between words; splits a word that is wider than a line.
  private static func wrapped(_ line: String, to width: Int) -> [String] {
    guard DisplayWidth.of(line) > width else { return [line] }
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      let longer = current.isEmpty ? String(word) : "\(current) \(word)"
      if DisplayWidth.of(longer) <= width {
        current = longer
      } else {
        if !current.isEmpty { lines.append(current) }
        current = DisplayWidth.cut(String(word), to: width)
      }
    }
    return lines + [current]
  }
}

enum PaywallText {
  static func block(_ paywall: Paywall) -> String {
    let reason = [paywall.banner, paywall.serverMessage.map(line(serverMessage:))]
    return
      (reason.compactMap(\.self) + [paywall.header] + benefits(paywall) + [
        "Premium: \(paywall.premiumDescription)", "Free: \(paywall.freeDescription)",
      ]).joined(separator: "\n")
  }

  /// Returns the card for subscribers, in place of an offer.
  static func thankYou(_ paywall: Paywall) -> String {
    ([Paywall.thanks, paywall.premiumDescription] + benefits(paywall)).joined(separator: "\n")
  }

  /// Returns the service's own message, which accompanies that of the app.
  static func line(serverMessage: String) -> String {
    "The moments service says: \(VisibleText.line(serverMessage))"
  }

  private static func benefits(_ paywall: Paywall) -> [String] {
    paywall.benefits.map { "  ★ \($0)" }
  }
}
