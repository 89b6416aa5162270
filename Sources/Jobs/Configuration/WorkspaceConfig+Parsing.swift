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
      try VariableExpansion.root(of: source, variables, log: log), keyPath: "", log: log)
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
