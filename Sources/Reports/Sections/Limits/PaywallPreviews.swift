import Model
import Rules

/// The paywall in all its states.
enum PaywallPreviews {
  static func section(_ facts: LimitsFacts) -> Section {
    let previews = facts.settings.limitsMoments ? previews(facts) : []
    return Section(
      id: "paywall", title: "The paywall",
      lead: "What stands in the way of a moment too many, with the quotas and the price in force.",
      blocks: previews.isEmpty
        ? [.text("The settings name no quotas of moments.")]
        : [.popups(PopupGallery(id: "paywall-states", title: "Paywall", previews: previews))])
  }

  private static func previews(_ facts: LimitsFacts) -> [PopupPreview] {
    let allowance = MomentAllowance(facts.settings)
    func paywall(_ trigger: Paywall.Trigger) -> PopupPreview.Picture {
      .paywall(Paywall(trigger, allowance: allowance), price: facts.popupPrice)
    }
    let examples = Paywall.Trigger.allCases.map { trigger in
      PopupPreview(
        trigger.rawValue.replacing("_", with: "-"), trigger.caption, paywall(trigger))
    }
    let premium = PopupPreview(
      "premium", "A subscriber", .premium(Paywall(.manual, allowance: allowance)))
    return [facts.chosen.map { real($0, facts.settings, paywall) }].compactMap(\.self) + examples
      + [premium]
  }

  /// What the profile's next moment would meet.
  private static func real(
    _ limits: LimitsFacts.ProfileLimits, _ settings: Settings,
    _ paywall: (Paywall.Trigger) -> PopupPreview.Picture
  ) -> PopupPreview {
    let standing = MomentStanding(limits, settings)
    let decision = standing.paywall
    let caption = "\(limits.profile.name) now: \(standing.stateWords.lowercased())"
    guard !decision.shouldShow else {
      return PopupPreview("now", caption, isReal: true, paywall(decision.trigger))
    }
    return PopupPreview(
      "now", caption, isReal: true,
      .nothing(
        limits.profile.tier.isSubscribed
          ? "Subscribed (\(limits.profile.tier.rawValue)): the paywall never stands in the way."
          : "No quota is known to be reached: the next moment is taken."))
  }
}

extension Paywall.Trigger {
  fileprivate var caption: String {
    switch self {
    case .dailyLimitReached: "The day's quota is reached"
    case .totalLimitReached: "The quota of all moments is reached"
    case .timelineRestricted: "History that only subscribers see"
    case .manual: "Nothing is reached: somebody asked for it"
    }
  }
}
