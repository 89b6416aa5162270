import Model
import Rules

/// The app's popups as they look under the limits in force.
enum LimitPopups {
  /// The features whose popups the seed apps show.
  private static let features: [Feature] = [.refresh, .filter, .search]
  /// How much of the wait is left in the preview of a cooldown.
  private static let previewShare = 0.7

  static func section(_ facts: LimitsFacts, appName: String) -> Section {
    let previews = features.flatMap { states(of: $0, facts, appName: appName) }
    return Section(
      id: "popups", title: "What people see",
      lead: "The popups with the limits, the waits and the price in force; the waits are examples.",
      blocks: previews.isEmpty ? [.text("No limited feature, no popup.")] : [.popups(previews)])
  }

  private static func states(
    of feature: Feature, _ facts: LimitsFacts, appName: String
  ) -> [PopupPreview] {
    guard let limit = facts.settings.limit(of: feature) else { return [] }
    let left = Duration.seconds(Int((Double(limit.cooldownSeconds) * previewShare).rounded(.up)))
    func popup(usage: Int, remaining: Duration) -> Popup {
      Popup(
        feature: feature, limit: limit, usage: usage, remainingCooldown: remaining,
        appName: appName, price: facts.price)
    }
    return [
      PopupPreview(
        feature: feature, caption: "\(feature.title), available",
        popup: popup(usage: 0, remaining: .zero)),
      PopupPreview(
        feature: feature, caption: "\(feature.title), cooling down",
        popup: popup(usage: limit.limit, remaining: left)),
    ]
  }
}
