import Rules

/// A popup as text, its parts in the order of the app's.
enum TextPopup {
  private static let barWidth = 40

  static func write(_ preview: PopupPreview, to sheet: inout TextSheet) {
    let popup = preview.popup
    sheet.gap()
    sheet.line("\(preview.caption):")
    sheet.paragraph(popup.title, indent: 4)
    sheet.paragraph(popup.description, indent: 4)
    if let timeLeft = popup.timeLeftText {
      sheet.line("    " + TextBar.bar(share: popup.barFraction, width: barWidth))
      sheet.line("    " + timeLeft)
    }
    if let left = popup.remainingText { sheet.line("    [ \(popup.action) | \(left) ]") }
    let price = popup.price.map { " | \(VisibleText.line($0))" } ?? ""
    sheet.paragraph("[ ★ \(popup.subscribe)\(price) ]", indent: 4)
  }
}
