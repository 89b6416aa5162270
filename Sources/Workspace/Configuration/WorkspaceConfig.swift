import Feeds
import Firestore
import Foundation
package import Model
import Yams

/// The configuration in `firetally.yml`: the app, its Firestore, and overrides.
///
/// Keys, types, defaults and bounds: `docs/jobs.md#configuration`.
package struct WorkspaceConfig: Hashable, Sendable {
  package var app = AppConfig()
  package var firestore = FirestoreConfig()
  /// Whether the Remote Config template is read in addition to the settings document.
  package var usesRemoteConfig = false
  /// Values that override all fetched ones; not checked against a setting's bounds.
  package var settings: [SettingKey: Int] = [:]
  /// The prices of subscriptions that popups show.
  package var prices: [Tier: String] = [:]
  /// An IANA name; it determines days in reports and the times of schedules.
  package var timeZone = "UTC"
  /// The permissions of the reports.
  package var outputMode = FileMode.ownerOnly
  package var cost = CostConfig()
  package var backup = BackupConfig()
  package var metrics = MetricsConfig()
  /// The owner's settings for findings: docs/findings.md#settings.
  package var findings = FindingSettings()
  package var geoBaseURL = "http://www.geoplugin.net"
  /// The address of the App Store's feeds of reviews, without the country.
  package var reviewsBaseURL = ReviewsClient.appleURL
  package var moments = MomentsConfig()
  /// Nil when events only stay in the ledger.
  package var analytics: AnalyticsConfig?
  /// The default hooks of jobs.
  package var hooks = JobHooks()
  /// The target of incident messages; nil leaves them to standard error.
  package var notify: NotifyTarget?

  package static let fileName = "firetally.yml"
}

package struct AppConfig: Hashable, Sendable {
  package enum Platform: String, CaseIterable, Hashable, Sendable {
    case ios, android
  }

  /// The platform whose events are counted; docs/reports/events.md#platforms.
  package enum PlatformChoice: String, CaseIterable, Hashable, Sendable {
    case ios, android, all
  }

  /// The name in popups and reports, for example `ChatHub`.
  package var name = ""
  /// Nil when the key name is derived from the name by `RatingKeyName`.
  package var ownKeyName: String?
  /// The id in document paths, for example `com.peppty.ChatApp`.
  package var bundleId = ""
  /// The prefix of the names of the app's events.
  package var platform = Platform.ios
  /// The address for writing a review; nil when not configured.
  package var appStoreURL: String?

  /// The name in rating keys.
  package var keyName: String { ownKeyName ?? RatingKeyName.shortened(name) ?? "" }

  /// Returns the only platform whose events are counted, for a nil choice the app's own; nil counts
  /// all.
  package func platform(counting choice: PlatformChoice?) -> String? {
    choice == .all ? nil : choice?.rawValue ?? platform.rawValue
  }
}

/// The project's Firestore database, with its address and credentials.
package struct FirestoreConfig: Hashable, Sendable {
  /// Nil when `--project`, the environment or the key file must name it.
  package var project: String?
  package var database = defaultDatabase
  package var baseURL = defaultBaseURL
  /// A shell command that prints an access token.
  package var tokenCommand: String?
  /// A key file; a relative path is resolved against the workspace.
  package var credentialsPath: String?
  /// Additional certificate authorities in PEM; a relative path is resolved against the workspace.
  package var caFile: String?
  /// Whether requests carry the name of their job; see `docs/readers.md#request-tags`.
  package var requestTags = false

  package static let defaultDatabase = "(default)"
  package static let defaultBaseURL = "https://firestore.googleapis.com"
}

extension FirestoreConfig {
  /// Whether requests to the address have tags; those to an emulator never do.
  package func tagsRequests(to baseURL: String, _ environment: [String: String]) -> Bool {
    requestTags && baseURL.hasPrefix("https://") && Endpoint.emulatorURL(in: environment) == nil
  }
}

/// The prices of billed reads and writes, and the daily limit of reads.
package struct CostConfig: Hashable, Sendable {
  /// The price of document reads in a Standard database.
  package var documentPrice = ReadPrice.example
  /// The price of read units in an Enterprise database, in the same currency.
  package var per100kReadUnits: Double?
  /// The prices of document writes in a Standard database, and of write units in an Enterprise one,
  /// in the currency of reads.
  ///
  /// The defaults are from Google's examples.
  package var per100kWrites = 0.09
  package var per100kWriteUnits = 0.026
  /// The edition of the workspace's database, as far as it is known.
  package var edition = FirestoreEdition.standard
  /// Nil for no limit; see `docs/costs.md#read-budget`.
  package var maxReadsPerDay: Int?

  package static let readCounts = 1...1_000_000_000

  /// The price of the reads that the database's edition bills.
  package var price: ReadPrice { price(on: edition) }

  /// Returns the price of the reads that a database of the edition bills.
  package func price(on edition: FirestoreEdition) -> ReadPrice {
    guard edition == .enterprise else { return documentPrice }
    var price = ReadPrice.unitExample
    price.currency = documentPrice.currency
    if let per100kReadUnits { (price.per100kReads, price.isOwn) = (per100kReadUnits, true) }
    return price
  }

  /// The price of each edition.
  package var prices: [FirestoreEdition: ReadPrice] {
    Dictionary(uniqueKeysWithValues: FirestoreEdition.allCases.map { ($0, price(on: $0)) })
  }

  /// Returns the cost of a number of writes: documents, or write units of an Enterprise database.
  package func costOfWrites(_ count: Int) -> Money {
    ReadPrice(
      per100kReads: edition == .enterprise ? per100kWriteUnits : per100kWrites,
      currency: documentPrice.currency
    ).cost(of: count)
  }
}

/// The moments service, with its address and token.
package struct MomentsConfig: Hashable, Sendable {
  /// Nil when the app has none.
  package var baseURL: String?
  package var token = SecretSource.environment(variable: "FIRETALLY_MOMENTS_TOKEN")

  /// The prefix of the keys for the token, such as `moments.token_file`.
  package static let tokenKey = "moments.token"
}

/// The options of backups; see `docs/backup.md#encryption`.
package struct BackupConfig: Hashable, Sendable {
  /// A shell command that encrypts its input; nil leaves backups unencrypted.
  package var encrypt: String?
  /// A shell command that decrypts its input.
  package var decrypt: String?
  /// Whether backups contain the key of contacts; nil means encrypted ones do.
  package var contactsKey: Bool?

  package var keepsContactKey: Bool { contactsKey ?? (encrypt != nil) }
}

/// The files with a workspace's metrics; see `docs/metrics.md`.
package struct MetricsConfig: Hashable, Sendable {
  /// The file for node_exporter's textfile collector, relative to the workspace; nil for none.
  package var file: String?
  /// The JSON file for other programs, relative to the workspace; nil for none.
  package var json: String?
}

/// The destination of commands' events besides the ledger: Google Analytics, by its Measurement
/// Protocol.
///
/// See `docs/jobs.md#analytics`.
package struct AnalyticsConfig: Hashable, Sendable {
  /// The app's id in the Firebase console: `1:1234567890:ios:321abc456def7890`.
  package var firebaseAppId = ""
  /// The app installation that events are reported for: 32 hexadecimal digits.
  package var appInstanceId = ""
  package var apiSecret = SecretSource.file(path: "")
  package var baseURL = "https://www.google-analytics.com"

  /// The prefix of the keys for the secret, such as `analytics.api_secret_file`.
  package static let secretKey = "analytics.api_secret"
}

extension WorkspaceConfig {
  /// All names of a setting: Firetally's own, and those in the app's documents.
  static let settingNames: [String: SettingKey] = {
    let names = SettingDescriptor.all.flatMap { rule in
      ([rule.key.rawValue] + rule.wireNames).map { ($0, rule.key) }
    }
    return Dictionary(names) { first, _ in first }
  }()

  /// Reads the file; missing keys get their defaults.
  ///
  /// `variables` are those that its values can use.
  package init(
    parsing source: SourceFile, variables: VariableExpansion.Variables = [:]
  ) throws(ConfigurationError) {
    let log = ProblemLog(file: source.path)
    let root = MappingReader(
      try VariableExpansion.root(of: source, variables, log: log), keyPath: "", log: log,
      keys: KeyTable(Self.keys))
    root.refuseOthers(than: Self.keys.names)
    self = Self.options.read(root)
    try log.throwIfAny()
  }
}

extension MappingReader {
  func secureAddress(_ key: String) -> String? {
    address(key, wanted: WebAddress.wantedSecure, where: WebAddress.isSecure)
  }

  /// Reads octal digits, even unquoted ones, which YAML would take for a decimal number.
  func fileMode() -> FileMode? {
    guard let entry = entry("mode") else { return nil }
    if case .scalar(let word) = entry.value, let mode = FileMode(octal: word.string) { return mode }
    wrongType(entry, wanted: FileMode.wanted)
    return nil
  }

  func settings() -> [SettingKey: Int] {
    let names = WorkspaceConfig.settingNames
    refuseOthers(than: names.keys.sorted())
    var settings: [SettingKey: Int] = [:]
    for entry in entries where entry.scalar != .null {
      guard let key = names[entry.name], let value = integer(of: entry, in: .min ... .max) else {
        continue
      }
      if settings.updateValue(value, forKey: key) != nil {
        problem(entry, "sets '\(key.rawValue)' a second time; keep one of the two")
      }
    }
    return settings
  }
}
