import Model

/// The section with the paywall in all its states.
enum PaywallPreviews {
  static func section(_ data: LimitsData) -> Section {
    let previews = data.settings.limitsMoments ? previews(data) : []
    return Section(
      id: "paywall", title: "The paywall",
      lead: "What stands in the way of a moment too many, with the quotas and the price in force.",
      blocks: previews.isEmpty
        ? [.text("The settings name no quotas of moments.")]
        : [.popups(PopupGallery(id: "paywall-states", title: "Paywall", previews: previews))])
  }

  private static func previews(_ data: LimitsData) -> [PopupPreview] {
    let allowance = MomentAllowance(data.settings)
    func paywall(_ trigger: Paywall.Trigger) -> PopupPreview.Picture {
      .paywall(Paywall(trigger, allowance: allowance), price: data.popupPrice)
    }
    let examples = Paywall.Trigger.allCases.map { trigger in
      PopupPreview(
        trigger.rawValue.replacing("_", with: "-"), trigger.caption, paywall(trigger))
    }
    let premium = PopupPreview(
      "premium", "A subscriber", .premium(Paywall(.manual, allowance: allowance)))
    return [data.chosen.map { real($0, data) }].compactMap(\.self) + examples + [premium]
  }

  /// What the profile sees now: the paywall, the thanks to a subscriber, or nothing.
  private static func real(
    _ limits: LimitsData.ProfileLimits, _ data: LimitsData
  ) -> PopupPreview {
    let moments = MomentSnapshot(limits, data.settings)
    let caption = "\(limits.profile.name) now: \(moments.stateWords.lowercased())"
    func preview(_ picture: PopupPreview.Picture) -> PopupPreview {
      PopupPreview("now", caption, isReal: true, picture)
    }
    if moments.paywall.shouldShow {
      return preview(.paywall(moments.paywall(), price: data.popupPrice))
    }
    return preview(
      moments.tier.isSubscribed
        ? .premium(moments.paywall())
        : .nothing("No quota is known to be reached: the next moment is taken."))
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
