import Feeds
import Foundation
import Model
import Yams

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
  ///
  /// - Throws: `ConfigurationError` with all that is wrong.
  package init(
    parsing source: SourceFile, variables: [String: String] = [:]
  ) throws(ConfigurationError) {
    let log = ProblemLog(file: source.path)
    let root = MappingReader(
      try VariableExpansion.root(of: source, variables, log: log), keyPath: "", log: log,
      keys: Self.keys)
    root.refuseOthers(than: Self.keys.keys(under: ""))
    app = AppConfig(root.section("app"))
    firestore = FirestoreConfig(root.section("firestore"))
    usesRemoteConfig = root.section("remote_config").boolean("enabled") ?? false
    settings = root.mapping("settings").settings()
    prices = root.section("prices").prices()
    timeZone = root.timeZone() ?? "UTC"
    outputMode = root.section("output").fileMode() ?? .ownerOnly
    cost = CostConfig(root.section("cost"))
    geoBaseURL = root.section("geo").address("base_url") ?? Self.defaultGeoBaseURL
    reviewsBaseURL = root.section("reviews").address("base_url") ?? ReviewsClient.appleURL
    moments = MomentsConfig(root.section("moments"))
    analytics = AnalyticsConfig(root.section("analytics"))
    hooks = root.jobHooks()
    try log.throwIfAny()
  }
}

extension AppConfig {
  fileprivate init(_ reader: MappingReader) {
    name = reader.text("name") ?? ""
    if reader.entry("name") == nil {
      reader.missing("name", "write the app's name, 'name: ChatHub'")
    }
    bundleId = reader.bundleId() ?? ""
    platform = reader.choice("platform", of: Platform.self) ?? .ios
    appStoreURL = reader.secureAddress("app_store_url")
  }
}

extension FirestoreConfig {
  fileprivate init(_ reader: MappingReader) {
    project = reader.text("project", wanted: "a Google Cloud project id") { id in
      id.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.:".utf8.contains($0) }
    }
    database =
      reader.text("database", wanted: "a database id without '/'") { !$0.contains("/") }
      ?? Self.defaultDatabase
    baseURL = reader.secureAddress("base_url") ?? Self.defaultBaseURL
    tokenCommand = reader.text("token_command")
    credentialsPath = reader.text("credentials")
    caFile = reader.text("ca_file")
  }
}

extension MomentsConfig {
  fileprivate init(_ reader: MappingReader) {
    baseURL = reader.secureAddress("base_url")
    token = reader.secret("token") ?? Self.defaultToken
  }
}

extension CostConfig {
  fileprivate init(_ reader: MappingReader) {
    let currency = reader.text("currency", wanted: "three capital letters, such as USD") { code in
      code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0) }
    }
    let amount = reader.amount("per_100k_reads")
    self.init(
      price: ReadPrice(
        per100kReads: amount ?? ReadPrice.example.per100kReads,
        currency: currency ?? ReadPrice.example.currency),
      maxReadsPerDay: reader.integer("max_reads_per_day", in: Self.readCounts))
    namesPrice = amount != nil
  }
}

extension MappingReader {
  /// A mapping of the top level whose keys are those of the table.
  fileprivate func section(_ key: String) -> MappingReader {
    let section = mapping(key)
    section.refuseOthers(than: WorkspaceConfig.keys.keys(under: key))
    return section
  }

  func secureAddress(_ key: String) -> String? {
    address(key, wanted: WebAddress.wantedSecure, where: WebAddress.isSecure)
  }

  fileprivate func bundleId() -> String? {
    guard entry("bundle_id") != nil else {
      missing("bundle_id", "write the app's bundle id, 'bundle_id: com.example.app'")
      return nil
    }
    return text("bundle_id", wanted: "a bundle id such as com.example.app") { id in
      id.contains(".") && id.utf8.allSatisfy { Self.bundleIdBytes.contains($0) }
    }
  }

  private static let bundleIdBytes = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_".utf8)

  fileprivate func timeZone() -> String? {
    text(
      "time_zone", wanted: "an IANA time zone such as Europe/Berlin", where: TimeZoneName.isValid)
  }

  /// Octal digits, also without quotes: YAML would take them for a decimal number.
  fileprivate func fileMode() -> FileMode? {
    guard let entry = entry("mode") else { return nil }
    if case .scalar(let word) = entry.value, let mode = FileMode(octal: word.string) { return mode }
    wrongType(entry, wanted: FileMode.wanted)
    return nil
  }

  fileprivate func prices() -> [Tier: String] {
    let prices = Tier.allCases.filter(\.isSubscribed).map { ($0, text($0.rawValue)) }
    return Dictionary(uniqueKeysWithValues: prices).compactMapValues(\.self)
  }

  fileprivate func settings() -> [SettingKey: Int] {
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
