import Rules

/// The paywall: its banner, what premium brings, and the two plans.
struct PaywallMarkup {
  let page: Page

  func write(_ paywall: Paywall, price: String?) {
    page.out.element("div", .class("popup paywall")) {
      if let banner = paywall.banner {
        page.out.element("p", .class("limit-banner")) {
          PopupIcon.warning.write(to: page)
          page.out.element("span", text: banner)
        }
      }
      page.out.element("p", .class("popup-title"), text: paywall.header)
      benefits(of: paywall)
      page.out.element("div", .class("plans")) {
        plan("Premium", paywall.premiumDescription, isOffer: true, price: price)
        plan("Free", paywall.freeDescription, isOffer: false, price: nil)
      }
    }
  }

  /// The card of thanks that a subscriber sees in the paywall's place.
  func writePremium(_ paywall: Paywall) {
    page.out.element("div", .class("popup paywall")) {
      page.out.element("p", .class("popup-title"), text: paywall.premiumDescription)
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
