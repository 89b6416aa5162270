import Foundation
import Yams

/// What messages may repeat of a file: docs/configuration.md#what-messages-show.
///
/// The one place that decides. What a key takes says whether its value may be a secret; a value of
/// a key that is unknown may be one.
package enum ShownText {
  /// Stands where a message would repeat a value.
  package static let hidden = "the value in the file (hidden, because it may be a secret)"

  /// A quote of a public value: of an address only the scheme, since a key may be in the rest.
  package static func quoted(_ text: String) -> String {
    guard let mark = text.firstRange(of: "://") else { return "'\(text.prefix(60))'" }
    return "'\(text[..<mark.upperBound].suffix(20))***'"
  }

  /// A name of a key as a key path has it; what is no word is a value in the wrong place.
  package static func key(_ name: String) -> String {
    name.contains("://") || name.contains("@") && !name.hasPrefix("@") ? "***" : name
  }

  /// A message without the users and passwords of addresses.
  package static func withoutLogins(_ message: String) -> String {
    message.contains("://") && message.contains("@")
      ? message.replacing(#/:\/\/[^\s@]*(@[^\s@\/]*)*@/#, with: "://***@") : message
  }

  /// Whether a key that nobody knows can be named, in a mapping that may hold secrets: a secret by
  /// itself is read as a key without a value.
  package static func isName(_ entry: MappingReader.Entry) -> Bool {
    entry.scalar != .null && entry.name.wholeMatch(of: /[A-Za-z][A-Za-z_]{0,39}/) != nil
  }
}

/// The keys that a mapping takes, by which it is told what messages may repeat.
package struct KeyTable {
  /// Nil where every value is public, as in the header of a section.
  private let keys: [ConfigurationKey]?

  package init(_ keys: [ConfigurationKey]) { self.keys = keys }

  private init() { keys = nil }

  /// Of a file or a part of it that has no place for a secret.
  package static let allPublic = KeyTable()

  /// Whether all values below are public.
  package var isPublic: Bool { keys?.allSatisfy(\.form.isPublic) ?? true }

  /// Whether messages may repeat the value of a key, or of an item of its list, `key[0]`.
  package func shows(_ name: String) -> Bool {
    guard let keys else { return true }
    return key(name, in: keys)?.form.isPublic ?? false
  }

  /// What the mapping under a key takes.
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
  /// Whether a value of this form, or a mistyped one, cannot be a secret.
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
