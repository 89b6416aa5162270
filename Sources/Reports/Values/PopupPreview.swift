package import Model
package import Rules

/// Something that the app shows, in one of its states, with the values in force.
package struct PopupPreview: Hashable, Sendable {
  package enum Picture: Hashable, Sendable {
    case limit(Popup, of: Feature)
    case rating(RatingDialog)
    /// With the price of the subscription; nil when none is configured.
    case paywall(Paywall, price: String?)
    /// What a subscriber sees in the paywall's place.
    case premium(Paywall)
    /// The app shows nothing; the sentence says why.
    case nothing(String)
  }

  /// Kebab-case, unique in its gallery.
  package var state: String
  package var caption: String
  /// Where a profile stands at the time of the report; all others are examples.
  package var isReal: Bool
  package var picture: Picture

  package init(_ state: String, _ caption: String, isReal: Bool = false, _ picture: Picture) {
    self.state = state
    self.caption = caption
    self.isReal = isReal
    self.picture = picture
  }
}

/// The states of one popup side by side, the real one first.
package struct PopupGallery: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  package var previews: [PopupPreview]

  package init(id: String, title: String, previews: [PopupPreview]) {
    self.id = id
    self.title = title
    self.previews = previews
  }
}
