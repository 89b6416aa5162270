import Model
import Rules

/// The popup of a limited feature: 24 px between its parts, a 4 px bar, pills: docs/reports.md#popups.
struct LimitPopupMarkup {
  let page: Page

  func write(_ popup: Popup, of feature: Feature) {
    page.out.element("div", .class("popup")) {
      page.out.element("div", .class("popup-words")) {
        page.out.element("p", .class("popup-title"), text: popup.title)
        page.out.element("p", .class("popup-text")) {
          page.out.element("bdi", text: VisibleText.clipped(popup.description, to: 300))
        }
      }
      if let timeLeft = popup.timeLeftText { wait(timeLeft, popup, feature) }
      page.out.element("div", .class("popup-buttons")) {
        if let left = popup.remainingText { action(popup.action, left, feature) }
        subscription(popup)
      }
    }
  }

  private func wait(_ timeLeft: String, _ popup: Popup, _ feature: Feature) {
    let isBlue = feature == .refresh
    page.out.element("div", .class(isBlue ? "popup-wait" : "popup-wait lite")) {
      let bar = CountdownDrawing(page: page)
      if isBlue {
        bar.write(share: popup.barFraction)
      } else {
        bar.writeRest(share: popup.barFraction)
      }
      page.out.element("p", text: timeLeft)
    }
  }

  private func action(_ action: String, _ left: String, _ feature: Feature) {
    page.out.element("p", .class("pill action")) {
      PopupIcon(feature).write(to: page)
      page.out.element("span", text: action)
      page.out.element("span", .class("left"), text: left)
    }
  }

  private func subscription(_ popup: Popup) {
    page.out.element("p", .class("pill subscribe")) {
      PopupIcon.star.write(to: page)
      page.out.element("span", text: popup.subscribe)
      page.price(popup.price)
    }
  }
}
