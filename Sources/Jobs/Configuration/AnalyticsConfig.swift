/// Where the events of commands go besides the ledger: Google Analytics, by its Measurement
/// Protocol.
///
/// See `docs/jobs.md#analytics`.
package struct AnalyticsConfig: Hashable, Sendable {
  /// The app, as the Firebase console names it: `1:1234567890:ios:321abc456def7890`.
  package var firebaseAppId = ""
  /// The installation that events are reported for: 32 hexadecimal digits.
  package var appInstanceId = ""
  package var apiSecret = SecretSource.file(path: "")
  package var baseURL = "https://www.google-analytics.com"

  static let options = OptionKeys(
    AnalyticsConfig(),
    [
      .required(
        "firebase_app_id", \.firebaseAppId, .text, "write the app's id in the Firebase console"),
      .required(
        "app_instance_id", \.appInstanceId,
        .text(.pattern("^[0-9A-Fa-f]{32}$"), wanted: "32 hexadecimal digits") { id in
          id.utf8.count == 32 && id.allSatisfy { $0.isASCII && $0.isHexDigit }
        }, "write the 32 hexadecimal digits of an installation"),
      .custom(
        ConfigurationKey("api_secret_env", .text), ConfigurationKey("api_secret_file", .text)
      ) { reader, config in
        if let secret = reader.secret("api_secret") { config.apiSecret = secret }
        if reader.entry("api_secret_env") == nil, reader.entry("api_secret_file") == nil {
          reader.missing("api_secret_env", "name a variable, or a file with api_secret_file")
        }
      },
      .key("base_url", \.baseURL, .secureAddress),
    ])
}
