import FoundationEssentials
package import Model

/// The settings of a Firebase Remote Config template.
///
/// Only default values are in force: conditions are about app instances, so conditional values are
/// only listed. Parameters in groups are merged with those outside, which take precedence.
package struct RemoteConfigTemplate: Hashable, Sendable {
  /// Sorted by wire name; without parameters that use the app's default.
  package let settings: [FetchedSetting]
  /// The conditional values, sorted by wire name, then by condition.
  package let conditionalSettings: [ConditionalSetting]

  /// Reads the JSON of `GET .../remoteConfig`; throws `FeedError.malformed`.
  package init(json: [UInt8], fetchedAt: Instant) throws(FeedError) {
    var values: [String: String] = [:]
    var parameters: [String: Parameter] = [:]
    let wire = try Self.decode(json)
    for group in (wire.parameterGroups ?? [:]).sorted(by: { $0.key < $1.key }).map(\.value) {
      values.merge(Self.values(of: group.parameters)) { $1 }
      parameters.merge(group.parameters ?? [:]) { $1 }
    }
    values.merge(Self.values(of: wire.parameters)) { $1 }
    parameters.merge(wire.parameters ?? [:]) { $1 }
    let expressions = Dictionary(
      (wire.conditions ?? []).map { ($0.name, $0.expression ?? "") }
    ) { first, _ in first }
    conditionalSettings = parameters.flatMap { name, parameter in
      (parameter.conditionalValues ?? [:]).map { condition, value in
        ConditionalSetting(
          wireName: name, condition: condition, expression: expressions[condition] ?? "",
          rawValue: value.value)
      }
    }.sorted { ($0.wireName, $0.condition) < ($1.wireName, $1.condition) }
    settings = values.sorted { $0.key < $1.key }.map {
      FetchedSetting(
        wireName: $0.key, rawValue: $0.value, source: .remoteConfig, fetchedAt: fetchedAt)
    }
  }

  private struct Wire: Decodable {
    var parameters: [String: Parameter]?
    var parameterGroups: [String: Group]?
    var conditions: [Condition]?
  }

  private struct Condition: Decodable {
    var name: String
    var expression: String?
  }

  private struct Group: Decodable {
    var parameters: [String: Parameter]?
  }

  private struct Parameter: Decodable {
    var defaultValue: Value?
    var conditionalValues: [String: Value]?
  }

  private struct Value: Decodable {
    var value: String?
  }

  private static func decode(_ json: [UInt8]) throws(FeedError) -> Wire {
    do {
      return try JSONDecoder().decode(Wire.self, from: Data(json))
    } catch {
      throw .malformed(feed: "Remote Config", reason: "it is not a Remote Config template")
    }
  }

  private static func values(of parameters: [String: Parameter]?) -> [String: String] {
    (parameters ?? [:]).compactMapValues { $0.defaultValue?.value }
  }
}
