/// A value that Remote Config has for some installations of the app: those that meet a condition,
/// or that Firebase chooses; it is listed, never used.
package struct ConditionalSetting: Hashable, Sendable {
  /// What of Firebase decides on the value.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case rollout, experiment, personalization
  }

  package var wireName: String
  /// Empty for a default value that Firebase decides on.
  package var condition: String
  /// The condition as the template writes it, for example `device.os == 'ios'`; empty when unknown.
  package var expression: String
  /// Nil when the template has no value for the condition, for example because the app decides.
  ///
  /// Of an experiment it is each variant's, such as `a = 5, b = no change`.
  package var rawValue: String?
  /// Nil for a plain value.
  package var kind: Kind?
  /// Percent of the installations; nil when the template does not say.
  package var percent: Double?

  package init(
    wireName: String, condition: String, expression: String, rawValue: String?,
    kind: Kind? = nil, percent: Double? = nil
  ) {
    self.wireName = wireName
    self.condition = condition
    self.expression = expression
    self.rawValue = rawValue
    self.kind = kind
    self.percent = percent
  }

  /// `rollout 100 %`; nil for a plain value.
  package var kindWords: String? {
    kind.map { kind in
      let share = percent.map { Int(exactly: $0).map { " \($0) %" } ?? " \($0) %" }
      return kind.rawValue + (share ?? "")
    }
  }
}
