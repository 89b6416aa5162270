import Feeds
import Firestore
import Foundation
package import Model
import Yams

/// What `firetally.yml` says: whose app, which Firestore, what overrides it.
///
/// Keys, types, defaults and bounds: `docs/jobs.md#configuration`.
package struct WorkspaceConfig: Hashable, Sendable {
  package var app = AppConfig()
  package var firestore = FirestoreConfig()
  /// Whether the Remote Config template is read beside the settings document.
  package var usesRemoteConfig = false
  /// Values that win over every fetched one; not checked against a setting's bounds.
  package var settings: [SettingKey: Int] = [:]
  /// What popups say a subscription costs.
  package var prices: [Tier: String] = [:]
  /// IANA name; decides days in reports and when a schedule is due.
  package var timeZone = "UTC"
  /// Who may read the reports.
  package var outputMode = FileMode.ownerOnly
  package var cost = CostConfig()
  package var backup = BackupConfig()
  package var metrics = MetricsConfig()
  /// Which findings the owner wants: docs/findings.md#settings.
  package var findings = FindingSettings()
  package var geoBaseURL = "http://www.geoplugin.net"
  /// Where the App Store's feeds of reviews are, without the country.
  package var reviewsBaseURL = ReviewsClient.appleURL
  package var moments = MomentsConfig()
  /// Nil: events stay in the ledger.
  package var analytics: AnalyticsConfig?
  /// Those that jobs have which do not say otherwise.
  package var hooks = JobHooks()
  /// Whom to tell of incidents; nil leaves that to standard error.
  package var notify: NotifyTarget?

  package static let fileName = "firetally.yml"
}

package struct AppConfig: Hashable, Sendable {
  package enum Platform: String, CaseIterable, Hashable, Sendable {
    case ios, android
  }

  /// Which platform's events are counted; docs/reports/events.md#platforms.
  package enum PlatformChoice: String, CaseIterable, Hashable, Sendable {
    case ios, android, all
  }

  /// In popups and reports, for example `ChatHub`.
  package var name = ""
  /// Nil: what `RatingKeyName` leaves of the name.
  package var ownKeyName: String?
  /// In document paths, for example `com.peppty.ChatApp`.
  package var bundleId = ""
  /// Begins the names of the app's events.
  package var platform = Platform.ios
  /// Where a user can write a review; nil when not configured.
  package var appStoreURL: String?

  /// The name in rating keys.
  package var keyName: String { ownKeyName ?? RatingKeyName.shortened(name) ?? "" }

  /// The platform whose events alone are counted, the app's own for nil; nil counts all together.
  package func platform(counting choice: PlatformChoice?) -> String? {
    choice == .all ? nil : choice?.rawValue ?? platform.rawValue
  }
}

/// Which Firestore, and how to be let in.
package struct FirestoreConfig: Hashable, Sendable {
  /// Nil: `--project`, the environment or the key file must name it.
  package var project: String?
  package var database = defaultDatabase
  package var baseURL = defaultBaseURL
  /// A shell command that prints an access token.
  package var tokenCommand: String?
  /// A key file; a relative path counts from the workspace.
  package var credentialsPath: String?
  /// More certificate authorities, PEM; a relative path counts from the workspace.
  package var caFile: String?
  /// Whether requests say which job sends them; see `docs/readers.md#request-tags`.
  package var requestTags = false

  package init(
    project: String? = nil, database: String = Self.defaultDatabase,
    baseURL: String = Self.defaultBaseURL, tokenCommand: String? = nil,
    credentialsPath: String? = nil, caFile: String? = nil, requestTags: Bool = false
  ) {
    self.project = project
    self.database = database
    self.baseURL = baseURL
    self.tokenCommand = tokenCommand
    self.credentialsPath = credentialsPath
    self.caFile = caFile
    self.requestTags = requestTags
  }

  package static let defaultDatabase = "(default)"
  package static let defaultBaseURL = "https://firestore.googleapis.com"
}

extension FirestoreConfig {
  /// Whether requests to the address bear tags; those to an emulator never do.
  package func tagsRequests(to baseURL: String, _ environment: [String: String]) -> Bool {
    requestTags && baseURL.hasPrefix("https://") && Endpoint.emulatorURL(in: environment) == nil
  }
}

/// What billed reads and writes cost, and how many reads a day may have.
package struct CostConfig: Hashable, Sendable {
  /// The price of documents, in a Standard database.
  package var documentPrice = ReadPrice.example
  /// The price of read units, in an Enterprise database, in the same currency.
  package var per100kReadUnits: Double?
  /// The prices of writes in Google's examples, or the workspace's own: of documents in a Standard
  /// database, and of write units in an Enterprise one; in the currency of reads.
  package var per100kWrites = 0.09
  package var per100kWriteUnits = 0.026
  /// Of the database that the workspace reads, as far as it is known.
  package var edition = FirestoreEdition.standard
  /// Whether the workspace names the price of documents; otherwise it is that of Google's examples.
  var namesDocumentPrice = false
  /// Nil: as many as it takes; see `docs/costs.md#read-budget`.
  package var maxReadsPerDay: Int?

  package static let readCounts = 1...1_000_000_000

  /// The price of what the database's edition bills.
  package var price: ReadPrice {
    get {
      guard edition == .enterprise else { return documentPrice }
      return ReadPrice(
        per100kReads: per100kReadUnits ?? ReadPrice.unitExample.per100kReads,
        currency: documentPrice.currency, edition: .enterprise)
    }
    set { documentPrice = newValue }
  }

  /// What a number of writes costs: documents, or write units of an Enterprise database.
  package func costOfWrites(_ count: Int) -> Money {
    ReadPrice(
      per100kReads: edition == .enterprise ? per100kWriteUnits : per100kWrites,
      currency: documentPrice.currency
    ).cost(of: count)
  }

  /// Whether the workspace names that price.
  package var namesPrice: Bool {
    get { edition == .enterprise ? per100kReadUnits != nil : namesDocumentPrice }
    set { namesDocumentPrice = newValue }
  }
}

/// Which moments service, and how to be let in.
package struct MomentsConfig: Hashable, Sendable {
  /// Nil: the app has none.
  package var baseURL: String?
  package var token = SecretSource.environment(variable: "FIRETALLY_MOMENTS_TOKEN")

  /// The key of the token, without what says where it is kept.
  package static let tokenKey = "moments.token"
}

/// How backups are made; see `docs/backup.md#encryption`.
package struct BackupConfig: Hashable, Sendable {
  /// A shell command that encrypts what it reads; nil leaves backups as they are.
  package var encrypt: String?
  /// A shell command that decrypts what it reads.
  package var decrypt: String?
  /// Whether backups hold the key of contacts; nil: those that are encrypted do.
  package var contactsKey: Bool?

  package var keepsContactKey: Bool { contactsKey ?? (encrypt != nil) }
}

/// Where the files go that say how a workspace does; see `docs/metrics.md`.
package struct MetricsConfig: Hashable, Sendable {
  /// For node_exporter's textfile collector, relative to the workspace; nil writes none.
  package var file: String?
  /// The page for other programs, likewise.
  package var json: String?
}

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

  /// The key of the secret, without what says where it is kept.
  package static let secretKey = "analytics.api_secret"
}

extension WorkspaceConfig {
  /// Every name that a setting goes by: Firetally's own, and those of the app's documents.
  static let settingNames: [String: SettingKey] = {
    let names = SettingDescriptor.all.flatMap { rule in
      ([rule.key.rawValue] + rule.wireNames).map { ($0, rule.key) }
    }
    return Dictionary(names) { first, _ in first }
  }()

  /// Reads the file; whatever it leaves out takes its default.
  ///
  /// `variables` are those that its values can name.
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

  /// Octal digits, also without quotes: YAML would take them for a decimal number.
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
