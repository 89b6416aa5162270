/// A key of a mapping: what the parser reads and what the schema says of it.
///
/// See `docs/configuration.md#schemas`.
package struct ConfigurationKey: Hashable, Sendable {
  /// `*` stands for names that the operator chooses.
  package let name: String
  package let form: ValueForm
  /// What counts when the key is missing, as the manual writes it; nil for nothing.
  package let `default`: String?
  /// Whether the mapping around it has to have it.
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

/// What a key takes.
///
/// A missing value (`key:`) is always allowed, and is no value.
package indirect enum ValueForm: Hashable, Sendable {
  /// Whatever the parser makes of it.
  case any
  case object([ConfigurationKey])
  case hook
  case text
  /// Text of a form that a regular expression, which both Swift and JavaScript read, describes.
  case pattern(String)
  /// The same where people write a secret by mistake, such as the password for the name of its
  /// file; no message shows the value.
  case guarded(ValueForm)
  /// A command for `/bin/sh`, which may hold a secret.
  case command
  case address
  /// An address that nobody can listen to on the way.
  case secureAddress
  /// An address that is a secret as a whole, such as that of a webhook.
  case hookAddress
  /// An address that may be a secret, `mail:` with an address, or a command.
  case recipient
  case integer(ClosedRange<Int>)
  /// A decimal number, zero or more.
  case amount
  case boolean
  case choice([String])
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

  /// The keys of the mapping that it can be; nil when it can be none.
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
  /// The names that the mapping may have, except those that the operator chooses.
  package var names: [String] { map(\.name).filter { $0 != "*" } }

  /// The keys as the manual lists them: dotted, parents before children.
  package var paths: [String] {
    flatMap { key -> [String] in
      guard key.name != "*", case .object(let keys) = key.form else { return [key.name] }
      return [key.name] + keys.paths.map { "\(key.name).\($0)" }
    }
  }
}
