import Jobs
import Model

extension Invocation {
  /// Logs a use that was allowed, for `--verbose`.
  func noteUse(_ answer: LimitCheck) {
    guard answer.result.canProceed, let usage = answer.result.usageText else { return }
    log.note("\(answer.result.feature.rawValue): \(usage)")
  }
}

/// A decision as JSON; the names are those of `docs/limits.md#cooldowns`.
extension LimitCheck {
  func line(explain: Bool = false) -> JSONObject {
    let line: JSONObject = [
      "message_type": "limit", "feature": result.feature, "canProceed": result.canProceed,
      "showPopup": result.showPopup, "currentUsage": result.currentUsage,
      "limit": result.limit?.limit, "isLimitReached": result.isLimitReached,
      "tier": result.tier, "userType": result.userType, "reason": result.reason,
    ]
    let steps: [JSONObject] = result.steps.map { ["id": $0.id, "text": $0.text] }
    return (explain ? line.merging(["steps": steps]) : line).merging(members)
  }

  /// What a limited command says about its limit, as members of its own JSON object.
  var members: JSONObject {
    [
      "popup": popup?.members,
      // Seconds, with their fraction.
      "remainingCooldown": result.remainingCooldown.fractionalSeconds,
      "resetsAt": result.resetsAt,
    ]
  }
}

extension Popup {
  /// `docs/limits.md#popup` says what each part shows.
  fileprivate var members: JSONObject {
    // The wait hides the action button.
    let action = isCoolingDown ? nil : action
    return [
      "title": title, "text": description, "buttons": [action, subscribe].compactMap(\.self),
      "action": action, "remaining": remainingText, "bar": barFraction,
      "timeLeft": timeLeftText, "subscribe": subscribe, "price": price,
    ]
  }
}
