import Model

/// Writes the paywall: banner, benefits of premium, and the two plans.
struct PaywallMarkup {
  let page: HTMLPage

  func write(_ paywall: Paywall, price: String?) {
    page.out.element("div", .class("popup paywall")) {
      if let banner = paywall.banner {
        page.out.element("p", .class("limit-banner")) {
          PopupIcon.warning.write(to: page)
          page.out.element("span", text: banner)
        }
      }
      if let words = paywall.serverMessage {
        page.out.element(
          "p", text: "The moments service says: \(VisibleText.clipped(words, to: 300))")
      }
      page.out.element("p", .class("popup-title"), text: paywall.header)
      benefits(of: paywall)
      page.out.element("div", .class("plans")) {
        plan("Premium", paywall.premiumDescription, isOffer: true, price: price)
        plan("Free", paywall.freeDescription, isOffer: false, price: nil)
      }
    }
  }

  /// Writes the card of thanks that a subscriber sees instead.
  func writePremium(_ paywall: Paywall) {
    page.out.element("div", .class("popup paywall")) {
      page.out.element("p", .class("popup-title"), text: Paywall.thanks)
      page.out.element("p", text: paywall.premiumDescription)
      benefits(of: paywall)
    }
  }

  private func benefits(of paywall: Paywall) {
    page.out.element("ul", .class("benefits")) {
      for benefit in paywall.benefits { page.out.element("li", text: benefit) }
    }
  }

  private func plan(_ name: String, _ text: String, isOffer: Bool, price: String?) {
    page.out.element("div", .class(isOffer ? "plan offer" : "plan")) {
      page.out.element("p", .class("plan-name")) {
        page.out.element("span", text: name)
        page.price(price)
      }
      page.out.element("p", text: text)
    }
  }
}
