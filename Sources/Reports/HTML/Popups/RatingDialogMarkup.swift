import Model

/// Writes the rating dialog: five stars, the app's answer to them, and the field for feedback.
struct RatingDialogMarkup {
  let page: HTMLPage

  func write(_ dialog: RatingDialog) {
    let colour = dialog.stars?.colour.rawValue ?? "none"
    page.out.element("div", .class("popup rating \(colour)")) {
      page.out.element("p", .class("popup-title")) {
        page.out.element("bdi", text: VisibleText.clipped(dialog.title, to: 60))
      }
      page.out.element("div", .class("popup-words")) {
        if let stars = dialog.stars {
          page.out.element("p", .class("emoji"), .hiddenFromReaders, text: stars.emoji)
        }
        stars(dialog.stars?.rawValue ?? 0)
        if let stars = dialog.stars {
          page.out.element("p", .class("popup-text"), text: stars.text)
        }
      }
      if let typed = dialog.typed { field(typed, dialog) }
      if let outcome = dialog.outcome { done(outcome) }
      buttons(dialog.buttons)
    }
  }

  private func stars(_ count: Int) {
    page.out.element(
      "p", .class("touch-stars"), .plain("role", "img"),
      .plain("aria-label", "\(NumberWords.counted(count, "star")) of 5")
    ) {
      for position in 1...5 {
        page.out.element("span", position <= count ? [.class("lit")] : []) { page.out.text("★") }
      }
    }
  }

  private func field(_ typed: String, _ dialog: RatingDialog) {
    page.out.element("div", .class("popup-field")) {
      page.out.element("p", .class("typed")) {
        page.out.element("bdi", text: VisibleText.clipped(typed, to: FeedbackMarkup.textLimit))
      }
      page.out.element("p", .class("counted")) {
        page.out.element("span", text: dialog.problem ?? "")
        page.out.element("span", text: dialog.counter ?? "")
      }
    }
  }

  private func done(_ outcome: String) {
    page.out.element("p", .class("popup-done")) {
      page.out.element("span", .class("tick"), .hiddenFromReaders, text: "✓")
      page.out.text(outcome)
    }
  }

  private func buttons(_ buttons: [RatingDialog.Button]) {
    guard !buttons.isEmpty else { return }
    page.out.element("div", .class("popup-choice")) {
      for button in buttons {
        let role = button.title == RatingDialog.submit ? "submit" : "later"
        page.out.element(
          "p", .class(button.isEnabled ? "choice \(role)" : "choice \(role) off"),
          text: button.title)
      }
    }
  }
}
