package import Model

/// A popup of the app in one of its states, with the values in force.
package struct PopupPreview: Hashable, Sendable {
  package enum Picture: Hashable, Sendable {
    case limit(Popup, of: Feature)
    case rating(RatingDialog)
    /// The price is that of the subscription; nil when none is configured.
    case paywall(Paywall, price: String?)
    /// What a subscriber sees instead of the paywall.
    case premium(Paywall)
    /// No popup, for the given reason.
    case nothing(String)
  }

  /// Kebab-case, unique in its gallery.
  package var state: String
  package var caption: String
  /// Whether it is the popup that the profile would see now, and no example.
  package var isReal: Bool
  package var picture: Picture

  package init(_ state: String, _ caption: String, isReal: Bool = false, _ picture: Picture) {
    self.state = state
    self.caption = caption
    self.isReal = isReal
    self.picture = picture
  }
}

/// One popup in all its states, the real one first.
package struct PopupGallery: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  package var previews: [PopupPreview]
}
