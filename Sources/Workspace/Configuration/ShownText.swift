import Foundation
import Yams

/// The parts of a file that messages may show: docs/configuration.md#what-messages-show.
///
/// All such decisions are made here. The form of a key determines whether its value may be a
/// secret; the value of an unknown key may always be one.
package enum ShownText {
  /// The replacement for a hidden value in messages.
  package static let hidden = "the value in the file (hidden, because it may be a secret)"

  /// Quotes a public value; shows only the scheme of an address, since the rest may contain a key.
  package static func quoted(_ text: String) -> String {
    guard let mark = text.firstRange(of: "://") else { return "'\(text.prefix(60))'" }
    return "'\(text[..<mark.upperBound].suffix(20))***'"
  }

  /// Returns a name for a key path; a name that is not a word is a value in the wrong place.
  package static func key(_ name: String) -> String {
    name.contains("://") || name.contains("@") && !name.hasPrefix("@") ? "***" : name
  }

  /// Returns a message without the logins in addresses.
  package static func withoutLogins(_ message: String) -> String {
    message.contains("://") && message.contains("@")
      ? message.replacing(#/:\/\/[^\s@]*(@[^\s@\/]*)*@/#, with: "://***@") : message
  }

  /// Whether messages can show an unknown key of a mapping that may hold secrets.
  ///
  /// A secret on its own is read as a key without a value.
  package static func isName(_ entry: MappingReader.Entry) -> Bool {
    entry.scalar != .null && entry.name.wholeMatch(of: /[A-Za-z][A-Za-z_]{0,39}/) != nil
  }
}

/// The keys of a mapping, which determine what messages may show.
package struct KeyTable {
  /// Nil when every value is public, as in the header of a section.
  private let keys: [ConfigurationKey]?

  package init(_ keys: [ConfigurationKey]) { self.keys = keys }

  private init() { keys = nil }

  /// The table of a file, or of a part, that has no place for a secret.
  package static let allPublic = KeyTable()

  /// Whether all values in the mapping are public.
  package var isPublic: Bool { keys?.allSatisfy(\.form.isPublic) ?? true }

  /// Whether messages may show the value of a key, or of an item of its list, `key[0]`.
  package func shows(_ name: String) -> Bool {
    guard let keys else { return true }
    return key(name, in: keys)?.form.isPublic ?? false
  }

  /// Returns the table of the mapping under a key.
  package func inside(_ name: String) -> KeyTable {
    guard let keys else { return self }
    guard let form = key(name, in: keys)?.form else { return KeyTable([]) }
    if form.isPublic { return .allPublic }
    return KeyTable(form.keys ?? [])
  }

  private func key(_ name: String, in keys: [ConfigurationKey]) -> ConfigurationKey? {
    let names = [name, String(name.prefix { $0 != "[" }), "*"]
    return names.lazy.compactMap { name in keys.first { $0.name == name } }.first
  }
}

extension ValueForm {
  /// Whether a value of this form cannot be a secret, even if it is mistyped.
  package var isPublic: Bool {
    switch self {
    case .any, .text, .pattern, .integer, .amount, .boolean, .choice, .word, .time: true
    case .list(let form): form.isPublic
    case .either(let forms): forms.allSatisfy(\.isPublic)
    case .object(let keys): keys.allSatisfy(\.form.isPublic)
    case .hook, .command, .address, .secureAddress, .hookAddress, .recipient, .guarded: false
    }
  }
}
