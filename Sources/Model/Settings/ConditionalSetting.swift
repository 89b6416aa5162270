/// A value that Remote Config has for app instances that meet a condition; it is listed, never
/// used.
package struct ConditionalSetting: Hashable, Sendable {
  package var wireName: String
  package var condition: String
  /// The condition as the template writes it, for example `device.os == 'ios'`; empty when unknown.
  package var expression: String
  /// Nil when the template has no value for the condition, for example because the app decides.
  package var rawValue: String?

  package init(wireName: String, condition: String, expression: String, rawValue: String?) {
    self.wireName = wireName
    self.condition = condition
    self.expression = expression
    self.rawValue = rawValue
  }
}
