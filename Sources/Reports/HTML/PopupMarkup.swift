import Rules

/// The app's popups, drawn as the app draws them: 24 px between the parts, a 4 px bar, pills.
struct PopupMarkup {
  let page: Page

  func write(_ previews: [PopupPreview]) {
    page.out.element("div", .class("popups")) {
      for preview in previews {
        page.out.element("figure", .class("popup-preview")) {
          page.out.element("div", .class("backdrop")) { write(preview.popup) }
          page.out.element("figcaption", text: preview.caption)
        }
      }
    }
  }

  private func write(_ popup: Popup) {
    page.out.element("div", .class("popup")) {
      page.out.element("p", .class("popup-title"), text: popup.title)
      page.out.element("p", .class("popup-text"), text: popup.description)
      if let timeLeft = popup.timeLeftText {
        page.out.element("div", .class("popup-wait")) {
          CountdownDrawing(page: page).write(share: popup.barFraction)
          page.out.element("p", text: timeLeft)
        }
      }
      if let left = popup.remainingText {
        page.out.element("p", .class("pill action")) {
          page.out.element("span", text: popup.action)
          page.out.element("span", .class("left"), text: left)
        }
      }
      page.out.element("p", .class("pill subscribe")) {
        page.out.element("span", .class("star"), .hiddenFromReaders, text: "★")
        page.out.element("span", text: popup.subscribe)
        if let price = popup.price {
          page.out.element("bdi", .class("left"), text: VisibleText.clipped(price, to: 40))
        }
      }
    }
  }
}
