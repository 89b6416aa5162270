import Model
import Reports

/// Writes the states of a popup side by side, each over the dimmed app and with its caption.
extension HTMLPage {
  func write(_ gallery: PopupGallery) {
    out.element("h3", .id(gallery.id), text: gallery.title)
    out.element(
      "div", .class("popups"), .plain("tabindex", "0"), .plain("role", "group"),
      .plain("aria-labelledby", gallery.id)
    ) {
      for preview in gallery.previews { write(preview) }
    }
  }

  private func write(_ preview: PopupPreview) {
    let real = preview.isReal ? " real" : ""
    out.element("figure", .class("popup-preview\(real)")) {
      out.element("div", .class("backdrop")) { write(preview.picture) }
      out.isolated("figcaption", text: VisibleText.clipped(preview.caption, to: 160))
    }
  }

  private func write(_ picture: PopupPreview.Picture) {
    switch picture {
    case .limit(let popup, let feature): write(popup, of: feature)
    case .rating(let dialog): write(dialog)
    case .paywall(let paywall, let price): write(paywall, price: price)
    case .premium(let paywall): writePremium(paywall)
    case .nothing(let reason):
      out.isolated("p", .class("no-popup"), text: reason)
    }
  }

  /// Writes the price in a pill, in its own direction; nothing when none is configured.
  private func price(_ price: String?) {
    guard let price else { return }
    out.element("bdi", .class("left"), text: VisibleText.clipped(price, to: 40))
  }
}

/// Writes the popup of a limited feature: docs/reports.md#popups.
extension HTMLPage {
  func write(_ popup: Popup, of feature: Feature) {
    out.element("div", .class("popup")) {
      out.element("div", .class("popup-words")) {
        out.element("p", .class("popup-title"), text: popup.title)
        out.isolated(
          "p", .class("popup-text"), text: VisibleText.clipped(popup.description, to: 300))
      }
      if let timeLeft = popup.timeLeftText { wait(timeLeft, popup, feature) }
      out.element("div", .class("popup-buttons")) {
        if let left = popup.remainingText { action(popup.action, left, feature) }
        subscription(popup)
      }
    }
  }

  private func wait(_ timeLeft: String, _ popup: Popup, _ feature: Feature) {
    let isBlue = feature == .refresh
    out.element("div", .class(isBlue ? "popup-wait" : "popup-wait lite")) {
      countdown(share: popup.barFraction, onGradient: !isBlue)
      out.element("p", text: timeLeft)
    }
  }

  private func action(_ action: String, _ left: String, _ feature: Feature) {
    out.element("p", .class("pill action")) {
      icon(PopupIcon(feature))
      out.element("span", text: action)
      out.element("span", .class("left"), text: left)
    }
  }

  private func subscription(_ popup: Popup) {
    out.element("p", .class("pill subscribe")) {
      icon(.star)
      out.element("span", text: popup.subscribe)
      self.price(popup.price)
    }
  }

  /// Hidden from screen readers, because the words beside it say the same.
  private func icon(_ icon: PopupIcon) {
    out.element(
      "svg", .class("icon \(icon.isFilled ? "filled" : "drawn")"), .plain("viewBox", "0 0 24 24"),
      .hiddenFromReaders
    ) {
      out.element("path", .plain("fill-rule", "evenodd"), .plain("d", icon.path))
    }
  }
}

/// The icons of the app, as paths in a square of 24.
private enum PopupIcon {
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

  fileprivate var isFilled: Bool { self == .star || self == .warning }

  fileprivate var path: String {
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

/// Writes the rating dialog: five stars, the app's answer to them, and the field for feedback.
extension HTMLPage {
  func write(_ dialog: RatingDialog) {
    let colour = dialog.stars?.colour.rawValue ?? "none"
    out.element("div", .class("popup rating \(colour)")) {
      out.isolated("p", .class("popup-title"), text: VisibleText.clipped(dialog.title, to: 60))
      out.element("div", .class("popup-words")) {
        if let stars = dialog.stars {
          out.element("p", .class("emoji"), .hiddenFromReaders, text: stars.emoji)
        }
        touchStars(dialog.stars?.rawValue ?? 0)
        if let stars = dialog.stars {
          out.element("p", .class("popup-text"), text: stars.text)
        }
      }
      if let typed = dialog.typed { field(typed, dialog) }
      if let outcome = dialog.outcome { done(outcome) }
      buttons(dialog.buttons)
    }
  }

  private func touchStars(_ count: Int) {
    out.element(
      "p", .class("touch-stars"), .plain("role", "img"),
      .plain("aria-label", "\(NumberWords.counted(count, "star")) of 5")
    ) {
      for position in 1...5 {
        out.element("span", position <= count ? [.class("lit")] : []) { out.text("★") }
      }
    }
  }

  private func field(_ typed: String, _ dialog: RatingDialog) {
    out.element("div", .class("popup-field")) {
      out.isolated(
        "p", .class("typed"), text: VisibleText.clipped(typed, to: UserComment.textLimit))
      out.element("p", .class("counted")) {
        out.element("span", text: dialog.problem ?? "")
        out.element("span", text: dialog.counter ?? "")
      }
    }
  }

  private func done(_ outcome: String) {
    out.element("p", .class("popup-done")) {
      out.element("span", .class("tick"), .hiddenFromReaders, text: "✓")
      out.text(outcome)
    }
  }

  private func buttons(_ buttons: [RatingDialog.Button]) {
    guard !buttons.isEmpty else { return }
    out.element("div", .class("popup-choice")) {
      for button in buttons {
        let role = button.title == RatingDialog.submit ? "submit" : "later"
        out.element(
          "p", .class(button.isEnabled ? "choice \(role)" : "choice \(role) off"),
          text: button.title)
      }
    }
  }
}

/// Writes the paywall: banner, benefits of premium, and the two plans.
extension HTMLPage {
  func write(_ paywall: Paywall, price: String?) {
    out.element("div", .class("popup paywall")) {
      if let banner = paywall.banner {
        out.element("p", .class("limit-banner")) {
          icon(.warning)
          out.element("span", text: banner)
        }
      }
      if let words = paywall.serverMessage {
        out.element(
          "p", text: "The moments service says: \(VisibleText.clipped(words, to: 300))")
      }
      out.element("p", .class("popup-title"), text: paywall.header)
      benefits(of: paywall)
      out.element("div", .class("plans")) {
        plan("Premium", paywall.premiumDescription, isOffer: true, price: price)
        plan("Free", paywall.freeDescription, isOffer: false, price: nil)
      }
    }
  }

  /// Writes the card of thanks that a subscriber sees instead.
  func writePremium(_ paywall: Paywall) {
    out.element("div", .class("popup paywall")) {
      out.element("p", .class("popup-title"), text: Paywall.thanks)
      out.element("p", text: paywall.premiumDescription)
      benefits(of: paywall)
    }
  }

  private func benefits(of paywall: Paywall) {
    out.element("ul", .class("benefits")) {
      for benefit in paywall.benefits { out.element("li", text: benefit) }
    }
  }

  private func plan(_ name: String, _ text: String, isOffer: Bool, price: String?) {
    out.element("div", .class(isOffer ? "plan offer" : "plan")) {
      out.element("p", .class("plan-name")) {
        out.element("span", text: name)
        self.price(price)
      }
      out.element("p", text: text)
    }
  }
}
