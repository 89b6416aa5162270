/// The keys that fill the properties of `Options`.
///
/// Each key is declared once: its name, its values, and the property that it fills. Its default is
/// the property's value in `defaults`. Parser, schema and `config show` use this declaration.
package struct OptionKeys<Options: Sendable>: Sendable {
  /// The values for keys that a file lacks.
  package let defaults: Options
  /// The keys in the order of the manual.
  package let table: [ConfigurationKey]
  private let keys: [OptionKey<Options>]

  package init(_ defaults: Options, _ keys: [OptionKey<Options>]) {
    self.defaults = defaults
    self.keys = keys
    table = keys.flatMap { $0.declarations(defaults) }
  }

  /// Reads the keys of a mapping; problems go to its log, and defaults stay.
  package func read(_ reader: MappingReader) -> Options {
    var options = defaults
    fill(&options, from: reader)
    return options
  }

  fileprivate func fill(_ options: inout Options, from reader: MappingReader) {
    for key in keys { key.fill(reader, &options) }
  }
}

/// The property for a key's value.
package typealias PropertyPath<Options, Value> = any WritableKeyPath<Options, Value> & Sendable

/// One key of a mapping, or several that belong together.
package struct OptionKey<Options: Sendable>: Sendable {
  /// Returns the declarations in the key table, with defaults from the given options.
  fileprivate let declarations: @Sendable (Options) -> [ConfigurationKey]
  fileprivate let fill: @Sendable (MappingReader, inout Options) -> Void

  /// Returns a key with a default.
  package static func key<Value>(
    _ name: String, _ property: PropertyPath<Options, Value>, _ type: KeyType<Value>
  ) -> OptionKey {
    OptionKey {
      [ConfigurationKey(name, type.form, default: type.text($0[keyPath: property]))]
    } fill: { reader, options in
      if let value = type.read(reader, name) { options[keyPath: property] = value }
    }
  }

  /// Returns an optional key; the property is nil without it.
  package static func key<Value>(
    _ name: String, _ property: PropertyPath<Options, Value?>,
    _ type: KeyType<Value>
  ) -> OptionKey {
    OptionKey {
      [ConfigurationKey(name, type.form, default: $0[keyPath: property].flatMap(type.text))]
    } fill: { reader, options in
      if let value = type.read(reader, name) { options[keyPath: property] = value }
    }
  }

  /// Returns a required key; `advice` completes the message "is missing; ".
  package static func required<Value>(
    _ name: String, _ property: PropertyPath<Options, Value>,
    _ type: KeyType<Value>, _ advice: String
  ) -> OptionKey {
    OptionKey { _ in
      [ConfigurationKey(name, type.form, isRequired: true)]
    } fill: { reader, options in
      guard reader.entry(name) != nil else { return reader.missing(name, advice) }
      if let value = type.read(reader, name) { options[keyPath: property] = value }
    }
  }

  /// Returns a key with its own mapping, which refuses unknown keys.
  package static func section<Inner>(
    _ name: String, _ property: PropertyPath<Options, Inner>,
    _ inner: OptionKeys<Inner>, isRequired: Bool = false
  ) -> OptionKey {
    OptionKey { _ in
      [ConfigurationKey(name, .object(inner.table), isRequired: isRequired)]
    } fill: { reader, options in
      let section = reader.mapping(name)
      section.refuseOthers(than: inner.table.names)
      inner.fill(&options[keyPath: property], from: section)
    }
  }

  /// Returns a key with its own mapping; the property is nil unless the mapping has a key.
  package static func section<Inner>(
    _ name: String, _ property: PropertyPath<Options, Inner?>, _ inner: OptionKeys<Inner>
  ) -> OptionKey {
    OptionKey { _ in
      [ConfigurationKey(name, .object(inner.table))]
    } fill: { reader, options in
      let section = reader.mapping(name)
      section.refuseOthers(than: inner.table.names)
      if !section.entries.isEmpty { options[keyPath: property] = inner.read(section) }
    }
  }

  /// Returns keys in the same mapping that fill a separate value.
  package static func group<Inner>(
    _ property: PropertyPath<Options, Inner>, _ inner: OptionKeys<Inner>
  ) -> OptionKey {
    OptionKey { _ in
      inner.table
    } fill: { reader, options in
      inner.fill(&options[keyPath: property], from: reader)
    }
  }

  /// Returns keys with their own code for reading.
  package static func custom(
    _ keys: ConfigurationKey..., fill: @escaping @Sendable (MappingReader, inout Options) -> Void
  ) -> OptionKey {
    OptionKey(declarations: { _ in keys }, fill: fill)
  }
}

/// The values of a key: their form, how to read them, and how the manual writes them.
package struct KeyType<Value>: Sendable {
  package let form: ValueForm
  /// Reads the value of a key; nil when it is missing, or has a problem, which goes to the log.
  package let read: @Sendable (MappingReader, String) -> Value?
  /// Returns the text of a value; nil for one that is not a single value.
  package let text: @Sendable (Value) -> String?

  package init(
    _ form: ValueForm, text: @escaping @Sendable (Value) -> String? = { "\($0)" },
    read: @escaping @Sendable (MappingReader, String) -> Value?
  ) {
    self.form = form
    self.read = read
    self.text = text
  }
}

extension KeyType {
  /// The type for keys where a mistyped value may be a secret, which no message shows.
  package var guarded: Self { Self(.guarded(form), text: text, read: read) }
}

extension KeyType<Bool> {
  package static var boolean: Self { Self(.boolean) { $0.boolean($1) } }
}

extension KeyType<Int> {
  package static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(.integer(range)) { $0.integer($1, in: range) }
  }
}

extension KeyType<Double> {
  /// A decimal number that is not negative.
  package static var amount: Self { Self(.amount) { $0.amount($1) } }
}

extension KeyType<Duration> {
  package static func time(longest: Duration) -> Self {
    Self(.time(longest: longest), text: DurationText.text) { $0.time($1, longest: longest) }
  }
}

extension KeyType<String> {
  package static var text: Self { text(.text) }

  package static func text(_ form: ValueForm) -> Self {
    Self(form) { $0.text($1) }
  }

  /// Returns the type of texts that pass a check; `wanted` describes them, after "must be".
  package static func text(
    _ form: ValueForm = .text, wanted: String,
    where isValid: @escaping @Sendable (String) -> Bool
  ) -> Self {
    Self(form) { $0.text($1, wanted: wanted, where: isValid) }
  }

  package static var address: Self { Self(.address) { $0.address($1) } }
  package static var secureAddress: Self { Self(.secureAddress) { $0.secureAddress($1) } }

  package static var timeZone: Self {
    text(wanted: "an IANA time zone such as Europe/Berlin, or UTC", where: TimeZoneName.isValid)
  }
}

extension KeyType<[String]> {
  package static var texts: Self { Self(.list(.text), text: { _ in nil }) { $0.texts($1) } }
}

extension KeyType where Value: RawRepresentable<String> & CaseIterable & Sendable {
  package static var choice: Self {
    Self(.choice(of: Value.self), text: \.rawValue) { $0.choice($1, of: Value.self) }
  }
}

extension KeyType {
  /// Returns the type of lists of distinct words from a closed set.
  package static func choices<
    Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable
  >(
    of type: Choice.Type
  ) -> Self where Value == [Choice] {
    Self(
      .list(.choice(of: type)),
      text: { $0.elementsEqual(Choice.allCases) ? "all" : nil }
    ) { $0.choices($1, of: type) }
  }
}
