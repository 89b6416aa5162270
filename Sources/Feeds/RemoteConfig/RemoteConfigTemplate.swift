import FoundationEssentials
package import Model

/// The Firebase Remote Config template, as far as a server job reads it.
///
/// Only default values count: conditions are about app instances. Parameters inside groups are
/// merged with those outside, which win when a name is in both.
package struct RemoteConfigTemplate: Hashable, Sendable {
  /// By wire name, in alphabetical order; parameters that use the app's own default are left out.
  package let settings: [FetchedSetting]

  /// Takes the JSON of `GET .../remoteConfig`; throws `FeedError.malformed`.
  package init(json: [UInt8], fetchedAt: Instant) throws(FeedError) {
    var values: [String: String] = [:]
    let wire = try Self.decode(json)
    for parameters in (wire.parameterGroups ?? [:]).sorted(by: { $0.key < $1.key }).map(\.value) {
      values.merge(Self.values(of: parameters.parameters)) { $1 }
    }
    values.merge(Self.values(of: wire.parameters)) { $1 }
    settings = values.sorted { $0.key < $1.key }.map {
      FetchedSetting(
        wireName: $0.key, rawValue: $0.value, source: .remoteConfig, fetchedAt: fetchedAt)
    }
  }

  private struct Wire: Decodable {
    var parameters: [String: Parameter]?
    var parameterGroups: [String: Group]?
  }

  private struct Group: Decodable {
    var parameters: [String: Parameter]?
  }

  private struct Parameter: Decodable {
    var defaultValue: Value?
  }

  private struct Value: Decodable {
    var value: String?
  }

  private static func decode(_ json: [UInt8]) throws(FeedError) -> Wire {
    do {
      return try JSONDecoder().decode(Wire.self, from: Data(json))
    } catch {
      throw .malformed(feed: "Remote Config", reason: "the template has another shape (\(error))")
    }
  }

  private static func values(of parameters: [String: Parameter]?) -> [String: String] {
    (parameters ?? [:]).compactMapValues { $0.defaultValue?.value }
  }
}
