/// A key of a configuration file: what the parser reads and what the schema says of it.
///
/// See `docs/configuration.md#schemas`.
package struct ConfigurationKey: Hashable, Sendable {
  /// Dotted; a last part `*` stands for names that the operator chooses.
  package let path: String
  package let form: ValueForm
  /// What counts when the key is missing, as the manual writes it; nil for nothing.
  package let `default`: String?
  /// Whether the mapping around it has to have it.
  package let isRequired: Bool
  /// The names that a last part `*` stands for; nil for any.
  package let names: [String]?

  package init(
    _ path: String, _ form: ValueForm, default: String? = nil, isRequired: Bool = false,
    names: [String]? = nil
  ) {
    self.path = path
    self.form = form
    self.default = `default`
    self.isRequired = isRequired
    self.names = names
  }
}

/// A key whose value the schema leaves open.
extension ConfigurationKey: ExpressibleByStringLiteral {
  package init(stringLiteral path: String) {
    self.init(path, .any)
  }
}

/// What a key takes.
///
/// A missing value (`key:`) is always allowed, and is no value.
package indirect enum ValueForm: Hashable, Sendable {
  /// Whatever the parser makes of it.
  case any
  /// A mapping whose keys are in the same table, below this one's path.
  case mapping
  /// A mapping with keys of its own.
  case object(KeyTable)
  case text
  /// Text of a form that a regular expression, which both Swift and JavaScript read, describes.
  case pattern(String)
  /// A command for `/bin/sh`, which may hold a secret.
  case command
  case address
  /// An address that nobody can listen to on the way.
  case secureAddress
  /// An address that is a secret as a whole, such as that of a webhook.
  case hookAddress
  case integer(ClosedRange<Int>)
  /// A decimal number, zero or more.
  case amount
  case boolean
  case choice([String])
  /// One certain word.
  case word(String)
  /// A time such as `90s`, up to the longest.
  case time(longest: Duration)
  /// A list with something in it.
  case list(ValueForm)
  case either([ValueForm])

  /// The words of a closed set.
  package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of type: Choice.Type
  ) -> ValueForm {
    .choice(Choice.allCases.map(\.rawValue))
  }
}

/// The keys that a kind of file may have, as the manual lists them.
package struct KeyTable: Hashable, Sendable {
  /// Parents before children.
  package let keys: [ConfigurationKey]

  package init(_ keys: [ConfigurationKey]) {
    self.keys = keys
  }

  package var paths: [String] { keys.map(\.path) }

  /// The names that may stand directly under a path; empty text is the top of the file.
  func keys(under path: String) -> [String] {
    let prefix = path.isEmpty ? "" : path + "."
    return keys.compactMap { key in
      guard key.path.hasPrefix(prefix) else { return nil }
      let rest = key.path.dropFirst(prefix.count)
      return rest.contains(".") || rest == "*" ? nil : String(rest)
    }
  }

  /// The table of the mapping that a key of the top level takes; nil when it takes none.
  func table(under name: String) -> KeyTable? {
    guard let form = form(of: name) else { return nil }
    if let table = form.table { return table }
    guard form == .mapping else { return nil }
    let prefix = name + "."
    return KeyTable(
      keys.filter { $0.path.hasPrefix(prefix) }.map { key in
        ConfigurationKey(
          String(key.path.dropFirst(prefix.count)), key.form, default: key.default,
          isRequired: key.isRequired, names: key.names)
      })
  }

  /// What a key of the top level takes; nil when the table does not have it.
  func form(of name: String) -> ValueForm? {
    let key = keys.first { $0.path == name }
    return (key ?? keys.first { $0.path == "*" && $0.names?.contains(name) != false })?.form
  }

  /// The keys of a mapping, as a table has them that the mapping is part of.
  func keys(below name: String) -> [ConfigurationKey] {
    keys.map { key in
      ConfigurationKey(
        "\(name).\(key.path)", key.form, default: key.default, isRequired: key.isRequired,
        names: key.names)
    }
  }

  static func + (left: KeyTable, right: KeyTable) -> KeyTable {
    KeyTable(left.keys + right.keys)
  }
}

extension ValueForm {
  /// The keys of the mapping that it can be; nil when it can be none.
  var table: KeyTable? {
    switch self {
    case .object(let table): table
    case .either(let forms): forms.compactMap(\.table).first
    default: nil
    }
  }
}
