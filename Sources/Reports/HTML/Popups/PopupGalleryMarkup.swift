import Model

/// Writes the states of a popup side by side, each over the dimmed app and with its caption.
struct PopupGalleryMarkup {
  let page: HTMLPage

  func write(_ gallery: PopupGallery) {
    page.out.element("h3", .id(gallery.id), text: gallery.title)
    page.out.element(
      "div", .class("popups"), .plain("tabindex", "0"), .plain("role", "group"),
      .plain("aria-labelledby", gallery.id)
    ) {
      for preview in gallery.previews { write(preview) }
    }
  }

  private func write(_ preview: PopupPreview) {
    let real = preview.isReal ? " real" : ""
    page.out.element("figure", .class("popup-preview\(real)")) {
      page.out.element("div", .class("backdrop")) { write(preview.picture) }
      page.out.element("figcaption") {
        page.out.element("bdi", text: VisibleText.clipped(preview.caption, to: 160))
      }
    }
  }

  private func write(_ picture: PopupPreview.Picture) {
    switch picture {
    case .limit(let popup, let feature): LimitPopupMarkup(page: page).write(popup, of: feature)
    case .rating(let dialog): RatingDialogMarkup(page: page).write(dialog)
    case .paywall(let paywall, let price):
      PaywallMarkup(page: page).write(paywall, price: price)
    case .premium(let paywall): PaywallMarkup(page: page).writePremium(paywall)
    case .nothing(let reason):
      page.out.element("p", .class("no-popup")) { page.out.element("bdi", text: reason) }
    }
  }
}

extension HTMLPage {
  /// Writes the price in a pill, in its own direction; nothing when none is configured.
  func price(_ price: String?) {
    guard let price else { return }
    out.element("bdi", .class("left"), text: VisibleText.clipped(price, to: 40))
  }
}
