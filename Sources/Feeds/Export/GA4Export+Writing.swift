package import Model

extension GA4Export {
  /// The event as one line of the export, without its line end; parameters in the order of names.
  ///
  /// Reading it back gives the same event, but for empty texts (read as missing), doubles that are
  /// not finite (read as strings) and instants outside the years 1970 to 9999 (rejected).
  package static func line(for event: Event) -> String {
    var members = [
      "\"event_timestamp\":\"\(event.at.microseconds)\"",
      "\"event_name\":\(quoted(event.name))",
      "\"event_params\":[\(parameters(of: event))]",
    ]
    if !event.userId.isEmpty { members.append("\"user_id\":\(quoted(event.userId))") }
    if let country = event.country { members.append("\"geo\":{\"country\":\(quoted(country))}") }
    if let version = event.appVersion {
      members.append("\"app_info\":{\"version\":\(quoted(version))}")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func parameters(of event: Event) -> String {
    event.parameters.sorted { $0.key < $1.key }
      .map { "{\"key\":\(quoted($0.key)),\"value\":{\(member(of: $0.value))}}" }
      .joined(separator: ",")
  }

  private static func member(of value: EventValue) -> String {
    switch value {
    case .string(let text): "\"string_value\":\(quoted(text))"
    case .integer(let number): "\"int_value\":\"\(number)\""
    case .double(let number) where number.isFinite: "\"double_value\":\(number)"
    case .double(let number): "\"double_value\":\"\(number)\""
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"\(JSONText.encode(text))\""
  }
}
