import Model

/// Writes the popup of a limited feature: docs/reports.md#popups.
struct LimitPopupMarkup {
  let page: HTMLPage

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

/// The icons of the app, as paths in a square of 24.
enum PopupIcon: String {
  case refresh, sliders, search, message, plus, star, warning

  init(_ feature: Feature) {
    self =
      switch feature {
      case .refresh: .refresh
      case .filter: .sliders
      case .search: .search
      case .message: .message
      case .conversation: .plus
      }
  }

  /// Hidden from screen readers, because the words beside it say the same.
  func write(to page: HTMLPage) {
    page.out.element(
      "svg", .class("icon \(isFilled ? "filled" : "drawn")"), .plain("viewBox", "0 0 24 24"),
      .hiddenFromReaders
    ) {
      page.out.element("path", .plain("fill-rule", "evenodd"), .plain("d", path))
    }
  }

  private var isFilled: Bool { self == .star || self == .warning }

  private var path: String {
    switch self {
    case .refresh: "M19 12a7 7 0 1 1-2.1-5M19.5 3v4.5H15"
    case .sliders:
      "M3 6h10M19 6h2M16 3.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M3 16h2M11 16h10"
        + "M8 13.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5"
    case .search: "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.3 15.3L20.5 20.5"
    case .message: "M4 5h16v11H10l-5 4v-4H4z"
    case .plus: "M12 4v16M4 12h16"
    case .star:
      "M12 1.5a10.5 10.5 0 1 0 0 21a10.5 10.5 0 1 0 0-21zM12 5.6l1.9 4.2 4.6.5-3.4 3.1.9 4.5"
        + "-4-2.3-4 2.3.9-4.5-3.4-3.1 4.6-.5z"
    case .warning:
      "M12 2.5a1.6 1.6 0 0 1 1.4.8l9 15.8a1.6 1.6 0 0 1-1.4 2.4H3a1.6 1.6 0 0 1-1.4-2.4l9-15.8"
        + "a1.6 1.6 0 0 1 1.4-.8zM10.8 9v6h2.4V9zM10.8 16.6v2.4h2.4v-2.4z"
    }
  }
}
