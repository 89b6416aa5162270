import Model
import Reports

/// Writes popups as text, their parts in the order of the app.
enum TextPopups {
  private static let barWidth = 40
  private static let indent = 4

  static func write(_ gallery: PopupGallery, to sheet: inout TextSheet) {
    sheet.line(gallery.title)
    for preview in gallery.previews {
      sheet.gap()
      sheet.paragraph(
        "\(preview.isReal ? "▶ " : "")\(VisibleText.clipped(preview.caption, to: 160)):")
      switch preview.picture {
      case .limit(let popup, _): write(popup, to: &sheet)
      case .rating(let dialog): write(dialog, to: &sheet)
      case .paywall(let paywall, let price): write(paywall, price: price, to: &sheet)
      case .premium(let paywall):
        sheet.paragraph(Paywall.thanks, indent: indent)
        sheet.paragraph(paywall.premiumDescription, indent: indent)
        benefits(of: paywall, to: &sheet)
      case .nothing(let reason): sheet.paragraph("(no popup) \(reason)", indent: indent)
      }
    }
  }

  private static func write(_ popup: Popup, to sheet: inout TextSheet) {
    sheet.paragraph(popup.title, indent: indent)
    sheet.paragraph(VisibleText.clipped(popup.description, to: 300), indent: indent)
    if let timeLeft = popup.timeLeftText {
      sheet.line("    " + TextBar.bar(share: popup.barFraction, width: barWidth))
      sheet.line("    " + timeLeft)
    }
    if let left = popup.remainingText { sheet.line("    [ \(popup.action) | \(left) ]") }
    button("★ \(popup.subscribe)", price: popup.price, to: &sheet)
  }

  private static func write(_ dialog: RatingDialog, to sheet: inout TextSheet) {
    sheet.paragraph(VisibleText.clipped(dialog.title, to: 60), indent: indent)
    sheet.line("    " + CellWords.stars(dialog.stars?.rawValue ?? 0))
    if let stars = dialog.stars {
      sheet.paragraph("\(stars.text) \(stars.emoji)", indent: indent)
    }
    if let typed = dialog.typed, let counter = dialog.counter {
      sheet.paragraph(
        "| \(VisibleText.clipped(typed, to: UserComment.textLimit))", indent: indent)
      sheet.paragraph(
        [counter, dialog.problem].compactMap(\.self).joined(separator: "  "), indent: indent)
    }
    if let outcome = dialog.outcome { sheet.paragraph("✓ \(outcome)", indent: indent) }
    guard !dialog.buttons.isEmpty else { return }
    let buttons = dialog.buttons.map { $0.isEnabled ? "[ \($0.title) ]" : "( \($0.title) )" }
    sheet.line("    " + buttons.joined(separator: "  "))
  }

  private static func write(_ paywall: Paywall, price: String?, to sheet: inout TextSheet) {
    if let banner = paywall.banner { sheet.paragraph("▲ \(banner)", indent: indent) }
    if let words = paywall.serverMessage {
      sheet.paragraph(
        "The moments service says: \(VisibleText.clipped(words, to: 300))", indent: indent)
    }
    sheet.paragraph(paywall.header, indent: indent)
    benefits(of: paywall, to: &sheet)
    button("Premium: \(paywall.premiumDescription)", price: price, to: &sheet)
    sheet.paragraph("[ Free: \(paywall.freeDescription) ]", indent: indent)
  }

  private static func benefits(of paywall: Paywall, to sheet: inout TextSheet) {
    for benefit in paywall.benefits { sheet.paragraph("✓ \(benefit)", indent: indent + 2) }
  }

  private static func button(_ title: String, price: String?, to sheet: inout TextSheet) {
    let price = price.map { " | \(VisibleText.clipped($0, to: 200))" } ?? ""
    sheet.paragraph("[ \(title)\(price) ]", indent: indent)
  }
}
