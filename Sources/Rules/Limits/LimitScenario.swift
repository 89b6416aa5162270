package import Model

/// One way in which all limits could differ from those in force; docs/rules.md#neighbours.
package enum LimitScenario: String, CaseIterable, Sendable {
  case inForce = "in-force"
  case oneFewer = "one-fewer"
  case oneMore = "one-more"
  case twiceTheLimit = "twice-the-limit"
  case halfTheWait = "half-the-wait"
  case twiceTheWait = "twice-the-wait"

  /// What becomes of a limit; nil where that would be no limit, or the one in force.
  package func limit(around limit: FeatureLimit) -> FeatureLimit? {
    var other = limit
    switch self {
    case .inForce: return limit
    case .oneFewer: other.limit -= 1
    case .oneMore: other.limit += 1
    case .twiceTheLimit: other.limit *= 2
    case .halfTheWait: other.cooldownSeconds /= 2
    case .twiceTheWait: other.cooldownSeconds *= 2
    }
    // One more than one is twice one.
    let repeatsOneMore = self == .twiceTheLimit && limit.limit == 1
    let isLimit = other.limit > 0 && other.cooldownSeconds > 0
    return isLimit && !repeatsOneMore ? other : nil
  }

  /// The settings with every limit changed this way; a limit that cannot be stays as it is.
  package func settings(around settings: Settings) -> Settings {
    Settings(
      settings.all.map { setting in
        guard let feature = Feature.allCases.first(where: { $0.isLimited(by: setting.key) }),
          let limit = settings.limit(of: feature), let other = self.limit(around: limit)
        else { return setting }
        var setting = setting
        setting.value = setting.key == feature.limitKey ? other.limit : other.cooldownSeconds
        return setting
      })
  }
}

extension Feature {
  fileprivate func isLimited(by key: SettingKey) -> Bool { key == limitKey || key == cooldownKey }
}
