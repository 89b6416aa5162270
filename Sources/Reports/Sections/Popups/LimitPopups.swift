import Model
import Store

/// The section with the popups of the limited features, in all their states.
enum LimitPopups {
  /// Seconds left in the preview of a wait near its end.
  private static let lastSeconds = 2

  static func section(_ data: LimitsData, context: ReportContext) -> Section {
    let galleries = Feature.allCases.compactMap { gallery(of: $0, data, context) }
    return Section(
      id: "limit-popups", title: "Popups of the limits",
      lead: "The popups with the limits, the waits and the price in force. "
        + (data.chosen == nil
          ? "All are examples."
          : "The first of each is what the next tap of the profile \(data.chosenProfile) would "
            + "show at the time of this report; the others are examples."),
      blocks: galleries.isEmpty
        ? [.text("No feature is limited, so no popup opens.")]
        : (galleries + [bypasses(data.settings)]).map(Block.popups))
  }

  private static func gallery(
    of feature: Feature, _ data: LimitsData, _ context: ReportContext
  ) -> PopupGallery? {
    guard let limit = data.settings.limit(of: feature) else { return nil }
    let real = data.chosen.map { preview(of: feature, $0, data, context) }
    let examples = examples(of: limit).map { state in
      PopupPreview(
        state.id, state.caption,
        .limit(
          Popup(
            feature: feature, limit: limit, usage: state.usage, remainingCooldown: state.remaining,
            appName: context.appName, price: data.popupPrice), of: feature))
    }
    return PopupGallery(
      id: "\(feature.rawValue)-popup", title: feature.title,
      previews: [real].compactMap(\.self) + examples)
  }

  /// What the profile's next tap would show; a tap at the limit starts the wait.
  private static func preview(
    of feature: Feature, _ limits: LimitsData.ProfileLimits, _ data: LimitsData,
    _ context: ReportContext
  ) -> PopupPreview {
    let status = LimitStatus(feature, of: limits, settings: data.settings, now: context.now)
    let decision = LimitRule.decide(status.decision.input, action: .check)
    let popup = Popup(after: decision, appName: context.appName, price: data.popupPrice)
    return PopupPreview(
      "now", "\(limits.profile.name) now: \(status.availability.rawValue.lowercased())",
      isReal: true,
      popup.map { .limit($0, of: feature) } ?? .nothing(decision.reason))
  }

  private struct Example {
    var id: String
    var caption: String
    var usage: Int
    var remaining: Duration = .zero
  }

  /// The states that look different under this limit.
  private static func examples(of limit: FeatureLimit) -> [Example] {
    func waiting(_ id: String, _ caption: String, _ seconds: Int) -> Example {
      Example(id: id, caption: caption, usage: limit.limit, remaining: .seconds(seconds))
    }
    let half = (limit.cooldownSeconds + 1) / 2
    var examples = [
      Example(id: "full", caption: "Nothing used yet, or the wait is over", usage: 0)
    ]
    if limit.limit > 1 {
      examples.append(Example(id: "one-left", caption: "One left", usage: limit.limit - 1))
    }
    examples.append(waiting("wait-begins", "At the limit: the wait begins", limit.cooldownSeconds))
    if half > lastSeconds { examples.append(waiting("waiting", "Half of the wait is over", half)) }
    if limit.cooldownSeconds > lastSeconds {
      examples.append(waiting("wait-ends", "The last seconds of the wait", lastSeconds))
    }
    return examples
  }

  /// The users who see no popup, and why.
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

extension LimitsData {
  /// The chosen profile's price, else the workspace's.
  var popupPrice: String? { chosen?.profile.price ?? price }
}

/// The section with the paywall in all its states.
enum PaywallPreviews {
  static func section(_ data: LimitsData) -> Section {
    let previews = data.settings.limitsMoments ? previews(data) : []
    return Section(
      id: "paywall", title: "The paywall",
      lead: "What people see when the quota is reached, with the quotas and the price.",
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
    if moments.dueTrigger != nil {
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
    case .manual: "No quota is reached: somebody opened it"
    }
  }
}
