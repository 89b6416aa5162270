package import Model
package import Rules

/// A popup of the app in one of its states, with the values in force.
package struct PopupPreview: Hashable, Sendable {
  package var feature: Feature
  /// The state, for the caption: "Available", "Cooling down".
  package var caption: String
  package var popup: Popup

  package init(feature: Feature, caption: String, popup: Popup) {
    self.feature = feature
    self.caption = caption
    self.popup = popup
  }
}
