import ArgumentParser
import Jobs
import Model

/// What one `--set` says: `refresh.limit=5`, or several joined by commas; docs/replay.md#replay.
struct SettingAssignments: Equatable {
  /// As it was typed.
  let text: String
  let values: [SettingKey: String]

  /// The settings that a replay depends on.
  static let keys: [SettingKey] = SettingDescriptor.all.filter { $0.role != nil }.map(\.key)

  /// - Throws: `ValidationError` for an unknown name or a value that the setting does not accept.
  init(parsing text: String) throws {
    self.text = text
    values = try text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: [:]) {
      let (key, value) = try Self.assignment(String($1))
      $0[key] = value
    }
  }

  private static func assignment(_ text: String) throws -> (SettingKey, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError("'\(text)' is no assignment. Write it like refresh.limit=5.")
    }
    let name = String(parts[0])
    guard let key = keys.first(where: { $0.rawValue == name }) else { throw unknown(name) }
    return (key, String(try number(String(parts[1]), for: key)))
  }

  private static func unknown(_ name: String) -> ValidationError {
    let names = keys.map(\.rawValue)
    let hint =
      ClosestName.closest(to: name, among: names).map { "Did you mean '\($0)'?" }
      ?? "There are \(names.joined(separator: ", "))."
    return ValidationError("There is no setting '\(name)'. \(hint)")
  }

  private static func number(_ text: String, for key: SettingKey) throws -> Int {
    let isSwitch = key.descriptor.bound == .zeroOrLessIsOff
    let largest = SettingDescriptor.largest
    let bounds = (isSwitch ? -largest : 1)...largest
    guard let number = Int(text), bounds.contains(number), text.first != "+" else {
      let bound = isSwitch ? "a whole number, 0 or less for none" : "a whole number from 1"
      throw ValidationError(
        "\(key.rawValue) must be \(bound), at most \(largest), not '\(text)'.")
    }
    return number
  }
}
