import FoundationEssentials
package import Model

/// The settings of a Firebase Remote Config template.
///
/// Only plain default values are in force. Conditions are about app instances, and rollouts,
/// experiments and personalizations are decided on by Firebase, so their values are only listed.
/// Parameters in groups are merged with those outside, which take precedence.
package struct RemoteConfigTemplate: Hashable, Sendable {
  /// Sorted by wire name; without parameters that use the app's default.
  package let settings: [FetchedSetting]
  /// The values that are not evaluated, sorted by wire name, then by condition.
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
      let conditional = (parameter.conditionalValues ?? [:]).map { condition, value in
        value.setting(name, condition: condition, expression: expressions[condition] ?? "")
      }
      let managed = parameter.defaultValue.map { $0.setting(name, condition: "", expression: "") }
      return conditional + [managed].compactMap { $0?.kind == nil ? nil : $0 }
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
    var rolloutValue: Rollout?
    var experimentValue: Experiment?
    var personalizationValue: Personalization?

    func setting(_ name: String, condition: String, expression: String) -> ConditionalSetting {
      var setting = ConditionalSetting(
        wireName: name, condition: condition, expression: expression, rawValue: value)
      if let rolloutValue {
        setting.kind = .rollout
        setting.rawValue = rolloutValue.value
        setting.percent = rolloutValue.percent
      } else if let experimentValue {
        setting.kind = .experiment
        setting.rawValue = experimentValue.words
        setting.percent = experimentValue.exposurePercent
      } else if personalizationValue != nil {
        setting.kind = .personalization
      }
      return setting
    }
  }

  private struct Rollout: Decodable {
    var value: String?
    var percent: Double?
  }

  private struct Personalization: Decodable {}

  private struct Experiment: Decodable {
    struct Variant: Decodable {
      var variantId: String?
      var value: String?
    }

    var variantValue: [Variant]?
    var exposurePercent: Double?

    /// `a = 5, b = no change`; nil without variants.
    var words: String? {
      let words = (variantValue ?? []).map { variant in
        [variant.variantId, variant.value ?? "no change"].compactMap(\.self)
          .joined(separator: " = ")
      }
      return words.isEmpty ? nil : words.joined(separator: ", ")
    }
  }

  private static func decode(_ json: [UInt8]) throws(FeedError) -> Wire {
    do {
      return try JSONDecoder().decode(Wire.self, from: Data(json))
    } catch {
      throw .malformed(feed: "Remote Config", reason: "it is not a Remote Config template")
    }
  }

  private static func values(of parameters: [String: Parameter]?) -> [String: String] {
    // Beside a managed value there is no plain one; if there were, it would hold for nobody alone.
    (parameters ?? [:]).compactMapValues { parameter in
      parameter.defaultValue.flatMap {
        $0.setting("", condition: "", expression: "").kind == nil ? $0.value : nil
      }
    }
  }
}
