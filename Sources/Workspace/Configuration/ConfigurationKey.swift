/// A key of a mapping, as the parser reads it and the schema describes it.
///
/// See `docs/configuration.md#schemas`.
package struct ConfigurationKey: Hashable, Sendable {
  /// `*` stands for names that the operator chooses.
  package let name: String
  package let form: ValueForm
  /// The default of a missing key, as the manual writes it; nil for none.
  package let `default`: String?
  /// Whether the mapping must have the key.
  package let isRequired: Bool
  /// The names that `*` stands for; nil for any.
  package let names: [String]?

  package init(
    _ name: String, _ form: ValueForm, default: String? = nil, isRequired: Bool = false,
    names: [String]? = nil
  ) {
    self.name = name
    self.form = form
    self.default = `default`
    self.isRequired = isRequired
    self.names = names
  }
}

/// The values that a key accepts.
///
/// A missing value (`key:`) is always allowed and counts as absent.
package indirect enum ValueForm: Hashable, Sendable {
  /// Any value, which the parser checks itself.
  case any
  case object([ConfigurationKey])
  case hook
  case text
  /// A text that matches a regular expression, which both Swift and JavaScript can read.
  case pattern(String)
  /// A value whose place may hold a secret by mistake, such as a password instead of the name of
  /// its file; messages do not show it.
  case guarded(ValueForm)
  /// A command for `/bin/sh`, which may hold a secret.
  case command
  case address
  /// An address whose traffic cannot be read on the way.
  case secureAddress
  /// An address that is secret as a whole, such as that of a webhook.
  case hookAddress
  /// An address that may be a secret, `mail:` with an address, or a command.
  case recipient
  case integer(ClosedRange<Int>)
  /// A decimal number, at least zero.
  case amount
  case boolean
  case choice([String])
  case word(String)
  /// A duration such as `90s`, up to `longest`.
  case time(longest: Duration)
  /// A list with at least one item.
  case list(ValueForm)
  case either([ValueForm])

  /// Returns the form for the words of a closed set.
  package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of type: Choice.Type
  ) -> ValueForm {
    .choice(Choice.allCases.map(\.rawValue))
  }

  /// The keys of the mapping form; nil when the value cannot be a mapping.
  package var keys: [ConfigurationKey]? {
    switch self {
    case .object(let keys): keys
    case .hook: Hook.keys
    case .either(let forms): forms.compactMap(\.keys).first
    case .guarded(let form): form.keys
    default: nil
    }
  }
}

extension [ConfigurationKey] {
  /// The names that the mapping can have, except those that the operator chooses.
  package var names: [String] { map(\.name).filter { $0 != "*" } }

  /// The keys as the manual lists them: dotted, parents before children.
  package var paths: [String] {
    flatMap { key -> [String] in
      guard key.name != "*", case .object(let keys) = key.form else { return [key.name] }
      return [key.name] + keys.paths.map { "\(key.name).\($0)" }
    }
  }
}
