import Feeds
import Model

extension WorkspaceConfig {
  /// Every key of `firetally.yml`.
  package static let keys = KeyTable(
    [
      ConfigurationKey("app", .mapping, isRequired: true),
      ConfigurationKey("app.name", .text, isRequired: true),
      ConfigurationKey("app.bundle_id", .text, isRequired: true),
      ConfigurationKey(
        "app.platform", .choice(of: AppConfig.Platform.self),
        default: AppConfig.Platform.ios.rawValue),
      ConfigurationKey("app.app_store_url", .secureAddress),
    ] + firestoreKeys + [
      ConfigurationKey("remote_config", .mapping),
      ConfigurationKey("remote_config.enabled", .boolean, default: "false"),
      ConfigurationKey("settings", .mapping),
      ConfigurationKey(
        "settings.*", .integer(.min ... .max), names: settingNames.keys.sorted()),
      ConfigurationKey("prices", .mapping), ConfigurationKey("prices.lite", .text),
      ConfigurationKey("prices.plus", .text), ConfigurationKey("prices.pro", .text),
      ConfigurationKey("time_zone", .text, default: "UTC"),
      // A number in octal digits, which JSON Schema has no word for.
      ConfigurationKey("output", .mapping), ConfigurationKey("output.mode", .any, default: "0600"),
    ] + costKeys + serviceKeys + JobHooks.keys)

  private static let firestoreKeys = [
    ConfigurationKey("firestore", .mapping), ConfigurationKey("firestore.project", .text),
    ConfigurationKey("firestore.database", .text, default: FirestoreConfig.defaultDatabase),
    ConfigurationKey(
      "firestore.base_url", .secureAddress, default: FirestoreConfig.defaultBaseURL),
    ConfigurationKey("firestore.token_command", .command),
    ConfigurationKey("firestore.credentials", .text), ConfigurationKey("firestore.ca_file", .text),
  ]

  private static let costKeys = [
    ConfigurationKey("cost", .mapping),
    ConfigurationKey(
      "cost.per_100k_reads", .amount, default: "\(ReadPrice.example.per100kReads)"),
    ConfigurationKey(
      "cost.currency", .pattern("^[A-Z]{3}$"), default: ReadPrice.example.currency),
    ConfigurationKey("cost.max_reads_per_day", .integer(CostConfig.readCounts)),
  ]

  private static let serviceKeys = [
    ConfigurationKey("geo", .mapping),
    ConfigurationKey("geo.base_url", .address, default: defaultGeoBaseURL),
    ConfigurationKey("reviews", .mapping),
    ConfigurationKey("reviews.base_url", .address, default: ReviewsClient.appleURL),
    ConfigurationKey("moments", .mapping), ConfigurationKey("moments.base_url", .secureAddress),
    ConfigurationKey("moments.token_env", .text, default: "FIRETALLY_MOMENTS_TOKEN"),
    ConfigurationKey("moments.token_file", .text),
    ConfigurationKey("analytics", .mapping),
    ConfigurationKey("analytics.firebase_app_id", .text, isRequired: true),
    ConfigurationKey(
      "analytics.app_instance_id", .pattern("^[0-9A-Fa-f]{32}$"), isRequired: true),
    ConfigurationKey("analytics.api_secret_env", .text),
    ConfigurationKey("analytics.api_secret_file", .text),
    ConfigurationKey(
      "analytics.base_url", .secureAddress, default: AnalyticsConfig.googleURL),
  ]
}
