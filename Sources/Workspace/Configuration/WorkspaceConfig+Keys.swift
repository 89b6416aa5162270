import Model

extension WorkspaceConfig {
  /// Every key of `firetally.yml`.
  package static let keys = options.table

  static let options = OptionKeys(
    WorkspaceConfig(),
    [
      .section("app", \.app, AppConfig.options, isRequired: true),
      .section("firestore", \.firestore, FirestoreConfig.options),
      .section("remote_config", \.self, remoteConfig),
      .custom(
        ConfigurationKey(
          "settings",
          .object([
            ConfigurationKey("*", .integer(.min ... .max), names: settingNames.keys.sorted())
          ]))
      ) { $1.settings = $0.mapping("settings").settings() },
      .section("prices", \.prices, tierPrices),
      .key("time_zone", \.timeZone, .timeZone),
      .section("output", \.self, output),
      .section("cost", \.cost, CostConfig.options),
      .section("backup", \.backup, BackupConfig.options),
      .section("metrics", \.metrics, MetricsConfig.options),
      .section("findings", \.findings, FindingSettings.options),
      .section("geo", \.self, geo),
      .section("reviews", \.self, reviews),
      .section("moments", \.moments, MomentsConfig.options),
      .section("analytics", \.analytics, AnalyticsConfig.options),
      .custom(JobHooks.key) { $1.hooks = $0.jobHooks() },
      .custom(ConfigurationKey("notify", .either([.recipient, .hook]))) {
        $1.notify = $0.notifyTarget("notify")
      },
    ])

  private static let remoteConfig = OptionKeys(
    WorkspaceConfig(), [.key("enabled", \.usesRemoteConfig, .boolean)])

  private static let tierPrices = OptionKeys<[Tier: String]>(
    [:],
    Tier.allCases.filter(\.isSubscribed).map { tier in
      .custom(ConfigurationKey(tier.rawValue, .text)) { $1[tier] = $0.text(tier.rawValue) }
    })

  // The mode is written in octal digits, which JSON Schema cannot describe.
  private static let output = OptionKeys(
    WorkspaceConfig(),
    [
      .custom(ConfigurationKey("mode", .any, default: "0600")) { reader, config in
        config.outputMode = reader.fileMode() ?? config.outputMode
      }
    ])

  private static let geo = OptionKeys(
    WorkspaceConfig(), [.key("base_url", \.geoBaseURL, .address)])

  private static let reviews = OptionKeys(
    WorkspaceConfig(), [.key("base_url", \.reviewsBaseURL, .address)])
}

extension AppConfig {
  fileprivate static let options = OptionKeys(
    AppConfig(),
    [
      .required("name", \.name, .text, "write the app's name, 'name: ChatHub'"),
      .custom(ConfigurationKey("key_name", .text)) { reader, config in
        config.ownKeyName = reader.keyName(beside: config.name)
      },
      .required(
        "bundle_id", \.bundleId, .text(wanted: bundleIdWanted, where: isBundleId),
        "write the app's bundle id, 'bundle_id: com.example.app'"),
      .key("platform", \.platform, .choice),
      .key("app_store_url", \.appStoreURL, .secureAddress),
    ])

  /// A description of what `isBundleId` accepts.
  package static let bundleIdWanted = "a bundle id such as com.example.app"

  /// Whether a text can be a bundle id, which is also the id of a document.
  package static func isBundleId(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && !text.hasPrefix("__")
      && parts.allSatisfy { !$0.isEmpty && $0.isWord(with: "-_") }
  }
}

extension MappingReader {
  /// Reads `key_name`; nil when keys can be derived from the app's name.
  fileprivate func keyName(beside name: String) -> String? {
    if entry("key_name") != nil {
      return text(
        "key_name",
        wanted: "letters, digits and _, at most \(RatingKeyName.longest), without _after_",
        where: RatingKeyName.isName)
    }
    if RatingKeyName.shortened(name) == nil, let entry = entry("name"), !name.isEmpty {
      problem(
        entry,
        "has no letter from A to Z and no digit for the keys of rating events; "
          + "add key_name, 'key_name: ChatHub'")
    }
    return nil
  }
}

extension FirestoreConfig {
  fileprivate static let options = OptionKeys(
    FirestoreConfig(),
    [
      .key(
        "project", \.project,
        .text(wanted: "a Google Cloud project id", where: isProject)),
      .key(
        "database", \.database,
        .text(wanted: "a database id without '/'") { !$0.contains("/") }),
      .key("base_url", \.baseURL, .secureAddress),
      .key("token_command", \.tokenCommand, .text(.command)),
      .key("credentials", \.credentialsPath, .text(.guarded(.text))),
      .key("ca_file", \.caFile, .text),
      .key("request_tags", \.requestTags, .boolean),
    ])

  /// Whether a text can be a project's id; a domain's project has a dot and a colon.
  package static func isProject(_ text: String) -> Bool {
    text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.:".utf8.contains($0) }
  }
}

extension CostConfig {
  fileprivate static let options = OptionKeys(
    CostConfig(),
    [
      .key("per_100k_reads", \.per100kReads, .amount),
      .key("per_100k_read_units", \.per100kUnits, .amount),
      .key("per_100k_writes", \.per100kWrites, .amount),
      .key("per_100k_write_units", \.per100kWriteUnits, .amount),
      .key(
        "currency", \.documentPrice.currency,
        .text(.pattern("^[A-Z]{3}$"), wanted: "three capital letters, such as USD") { code in
          code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0) }
        }),
      .key("max_reads_per_day", \.maxReadsPerDay, .integer(readCounts)),
    ])

  private var per100kUnits: Double {
    get { per100kReadUnits ?? ReadPrice.unitExample.per100kReads }
    set { per100kReadUnits = newValue }
  }

  /// The price of documents; setting it makes it the workspace's own.
  private var per100kReads: Double {
    get { documentPrice.per100kReads }
    set { (documentPrice.per100kReads, documentPrice.isOwn) = (newValue, true) }
  }
}

extension MomentsConfig {
  fileprivate static let options = OptionKeys(
    MomentsConfig(),
    [
      .key("base_url", \.baseURL, .secureAddress),
      .custom(
        ConfigurationKey("token_env", .guarded(.text), default: "FIRETALLY_MOMENTS_TOKEN"),
        ConfigurationKey("token_file", .guarded(.text))
      ) { reader, config in
        config.token = reader.secret("token") ?? config.token
      },
    ])
}

extension BackupConfig {
  fileprivate static let options = OptionKeys(
    BackupConfig(),
    [
      .key("encrypt", \.encrypt, .text(.command)), .key("decrypt", \.decrypt, .text(.command)),
      .key("contacts_key", \.contactsKey, .boolean.guarded),
    ])
}

extension MetricsConfig {
  fileprivate static let options = OptionKeys(
    MetricsConfig(),
    [
      .key(
        "file", \.file,
        .text(wanted: "a path that ends in .prom, since node_exporter reads no other file") {
          $0.hasSuffix(".prom")
        }),
      .key("json", \.json, .text),
    ])
}

extension AnalyticsConfig {
  fileprivate static let options = OptionKeys(
    AnalyticsConfig(),
    [
      .required(
        "firebase_app_id", \.firebaseAppId, .text, "write the app's id in the Firebase console"),
      .required(
        "app_instance_id", \.appInstanceId,
        .text(.guarded(.pattern("^[0-9A-Fa-f]{32}$")), wanted: "32 hexadecimal digits") { id in
          id.utf8.count == 32 && id.allSatisfy { $0.isASCII && $0.isHexDigit }
        }, "write the 32 hexadecimal digits of an installation"),
      .custom(
        ConfigurationKey("api_secret_env", .guarded(.text)),
        ConfigurationKey("api_secret_file", .guarded(.text))
      ) { reader, config in
        if let secret = reader.secret("api_secret") { config.apiSecret = secret }
        if reader.entry("api_secret_env") == nil, reader.entry("api_secret_file") == nil {
          reader.missing("api_secret_env", "name a variable, or a file with api_secret_file")
        }
      },
      .key("base_url", \.baseURL, .secureAddress),
    ])
}
