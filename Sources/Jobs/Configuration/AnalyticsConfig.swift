/// Where the events of commands go besides the ledger: Google Analytics, by its Measurement
/// Protocol.
///
/// See `docs/jobs.md#analytics`.
package struct AnalyticsConfig: Hashable, Sendable {
  /// The app, as the Firebase console names it: `1:1234567890:ios:321abc456def7890`.
  package var firebaseAppId: String
  /// The installation that events are reported for: 32 hexadecimal digits.
  package var appInstanceId: String
  package var apiSecret: SecretSource
  package var baseURL: String

  package static let googleURL = "https://www.google-analytics.com"

  static let keys = [
    ConfigurationKey("firebase_app_id", .text, isRequired: true),
    ConfigurationKey("app_instance_id", .pattern("^[0-9A-Fa-f]{32}$"), isRequired: true),
    ConfigurationKey("api_secret_env", .text), ConfigurationKey("api_secret_file", .text),
    ConfigurationKey("base_url", .secureAddress, default: googleURL),
  ]

  /// Nil when the section is not there, or with all that is wrong in the reader's log.
  init?(_ reader: MappingReader) {
    guard !reader.entries.isEmpty else { return nil }
    let appId = reader.required("firebase_app_id", "the app's id in the Firebase console")
    let instanceId = reader.text("app_instance_id", wanted: "32 hexadecimal digits") { id in
      id.utf8.count == 32 && id.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    if reader.entry("app_instance_id") == nil {
      reader.missing("app_instance_id", "write the 32 hexadecimal digits of an installation")
    }
    let secret = reader.secret("api_secret")
    if reader.entry("api_secret_env") == nil, reader.entry("api_secret_file") == nil {
      reader.missing("api_secret_env", "name a variable, or a file with api_secret_file")
    }
    baseURL = reader.secureAddress("base_url") ?? Self.googleURL
    guard let appId, let instanceId, let secret else { return nil }
    (firebaseAppId, appInstanceId, apiSecret) = (appId, instanceId, secret)
  }
}

extension MappingReader {
  fileprivate func required(_ key: String, _ meaning: String) -> String? {
    guard entry(key) != nil else {
      missing(key, "write \(meaning)")
      return nil
    }
    return text(key)
  }
}
