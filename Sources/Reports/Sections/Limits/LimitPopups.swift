import Model
import Rules

/// The popups of the limited features in all their states.
enum LimitPopups {
  /// Seconds left in the preview of a wait that is nearly over.
  private static let lastSeconds = 2

  static func section(_ facts: LimitsFacts, frame: ReportFrame) -> Section {
    let galleries = Feature.allCases.compactMap { gallery(of: $0, facts, frame) }
    return Section(
      id: "popups", title: "What people see",
      lead: "The popups with the limits, the waits and the price in force. "
        + (facts.chosen == nil
          ? "All are examples."
          : "The first of each is what the next tap of \(facts.chosenProfile) would show at the time "
            + "of this report; the others are examples."),
      blocks: galleries.isEmpty
        ? [.text("No limited feature, no popup.")]
        : (galleries + [bypasses(facts.settings)]).map(Block.popups))
  }

  private static func gallery(
    of feature: Feature, _ facts: LimitsFacts, _ frame: ReportFrame
  ) -> PopupGallery? {
    guard let limit = facts.settings.limit(of: feature) else { return nil }
    let real = facts.chosen.map { preview(of: feature, $0, facts, frame) }
    let examples = states(of: limit).map { state in
      PopupPreview(
        state.id, state.caption,
        .limit(
          Popup(
            feature: feature, limit: limit, usage: state.usage, remainingCooldown: state.remaining,
            appName: frame.appName, price: facts.popupPrice), of: feature))
    }
    return PopupGallery(
      id: "\(feature.rawValue)-popup", title: feature.title,
      previews: [real].compactMap(\.self) + examples)
  }

  /// What the next tap of the profile would show; opening the popup starts the wait.
  private static func preview(
    of feature: Feature, _ limits: LimitsFacts.ProfileLimits, _ facts: LimitsFacts,
    _ frame: ReportFrame
  ) -> PopupPreview {
    let standing = LimitStanding(feature, of: limits, settings: facts.settings, now: frame.now)
    let decision = LimitRule.check(standing.decision.question)
    let popup = Popup(after: decision, appName: frame.appName, price: facts.popupPrice)
    return PopupPreview(
      "now", "\(limits.profile.name) now: \(standing.state.words.lowercased())", isReal: true,
      popup.map { .limit($0, of: feature) } ?? .nothing(decision.reason))
  }

  private struct State {
    var id: String
    var caption: String
    var usage: Int
    var remaining: Duration = .zero
  }

  /// Those that differ under this limit.
  private static func states(of limit: FeatureLimit) -> [State] {
    func waiting(_ id: String, _ caption: String, _ seconds: Int) -> State {
      State(id: id, caption: caption, usage: limit.limit, remaining: .seconds(seconds))
    }
    let half = (limit.cooldownSeconds + 1) / 2
    var states = [State(id: "full", caption: "Nothing used yet, or the wait is over", usage: 0)]
    if limit.limit > 1 {
      states.append(State(id: "one-left", caption: "One left", usage: limit.limit - 1))
    }
    states.append(waiting("wait-begins", "At the limit: the wait begins", limit.cooldownSeconds))
    if half > lastSeconds { states.append(waiting("waiting", "Half of the wait is over", half)) }
    if limit.cooldownSeconds > lastSeconds {
      states.append(waiting("wait-ends", "The last seconds of the wait", lastSeconds))
    }
    return states
  }

  /// Those who are shown no popup, and why.
  private static func bypasses(_ settings: Settings) -> PopupGallery {
    let period = settings.value(.newUserFreePeriod) ?? 0
    let newUser = LimitStep.newUser(.isNew(age: .seconds(period / 2)), periodSeconds: period)
    let previews = [
      PopupPreview("subscriber", "A subscriber", .nothing(LimitStep.subscribed(.lite).text))
    ]
    return PopupGallery(
      id: "no-popup", title: "Without a popup",
      previews: period > 0
        ? previews + [PopupPreview("new-user", "A new user", .nothing(newUser.text))] : previews)
  }
}

extension LimitsFacts {
  /// The chosen profile's price before the workspace's.
  var popupPrice: String? { chosen?.profile.price ?? price }
}
