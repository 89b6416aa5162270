import Firestore
import Foundation
import Model
import Rules
import Session

/// A decision as JSON; the names are those of `docs/limits.md#cooldowns`.
struct LimitLine: Encodable {
  private struct Step: Encodable {
    let id: String
    let text: String
  }

  private enum Key: String, CodingKey {
    case messageType = "message_type"
    case feature, canProceed, showPopup, currentUsage, limit, isLimitReached, tier, userType
    case reason, steps
  }

  private let answer: LimitCheck
  private let explains: Bool

  init(_ answer: LimitCheck, explain: Bool = false) {
    self.answer = answer
    explains = explain
  }

  func encode(to encoder: any Encoder) throws {
    let decision = answer.result
    var line = encoder.container(keyedBy: Key.self)
    try line.encode("limit", forKey: .messageType)
    try line.encode(decision.feature, forKey: .feature)
    try line.encode(decision.canProceed, forKey: .canProceed)
    try line.encode(decision.showPopup, forKey: .showPopup)
    try line.encode(decision.currentUsage, forKey: .currentUsage)
    try line.encode(decision.limit?.limit, forKey: .limit)
    try line.encode(decision.isLimitReached, forKey: .isLimitReached)
    try line.encode(decision.tier, forKey: .tier)
    try line.encode(decision.userType, forKey: .userType)
    try line.encode(decision.reason, forKey: .reason)
    if explains {
      let steps = decision.steps.map { Step(id: $0.id, text: $0.text) }
      try line.encode(steps, forKey: .steps)
    }
    try LimitMembers(answer).encode(to: encoder)
  }
}

/// What a limited command says about its limit, as members of its own JSON object.
///
/// A member that has no value is null, never missing.
struct LimitMembers: Encodable {
  let popup: PopupLine?
  /// Seconds, with their fraction.
  let remainingCooldown: Double
  let resetsAt: Instant?

  init(_ answer: LimitCheck) {
    popup = answer.popup.map(PopupLine.init)
    remainingCooldown = answer.result.remainingCooldown.fractionalSeconds
    resetsAt = answer.result.resetsAt
  }

  private enum Key: String, CodingKey { case popup, remainingCooldown, resetsAt }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(popup, forKey: .popup)
    try members.encode(remainingCooldown, forKey: .remainingCooldown)
    try members.encode(resetsAt, forKey: .resetsAt)
  }
}

/// A popup as JSON; `docs/limits.md#popup` says what each part shows.
struct PopupLine: Encodable {
  private let popup: Popup

  init(_ popup: Popup) {
    self.popup = popup
  }

  private enum Key: String, CodingKey {
    case title, text, buttons, action, remaining, bar, timeLeft, subscribe, price
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    // The wait hides the action button.
    let action = popup.isCoolingDown ? nil : popup.action
    try members.encode(popup.title, forKey: .title)
    try members.encode(popup.description, forKey: .text)
    try members.encode([action, popup.subscribe].compactMap(\.self), forKey: .buttons)
    try members.encode(action, forKey: .action)
    try members.encode(popup.remainingText, forKey: .remaining)
    try members.encode(popup.barFraction, forKey: .bar)
    try members.encode(popup.timeLeftText, forKey: .timeLeft)
    try members.encode(popup.subscribe, forKey: .subscribe)
    try members.encode(popup.price, forKey: .price)
  }
}

extension LimitMembers {
  /// The same members as a tree.
  var json: [String: JSON] {
    do {
      guard case .object(let members) = try JSON(parsing: Array(try JSONEncoder().encode(self)))
      else { return [:] }
      return members
    } catch {
      preconditionFailure("numbers, texts and an instant are always JSON: \(error)")
    }
  }
}
