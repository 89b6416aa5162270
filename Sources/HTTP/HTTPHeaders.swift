/// Header fields in the order they were added; names are case-insensitive.
package struct HTTPHeaders: Sendable {
  /// One field; a secret field is never printed and never sent to another origin.
  package struct HeaderField: Hashable, Sendable {
    package var name: String
    package var value: String
    package var isSecret: Bool
  }

  package private(set) var fields: [HeaderField]

  package init(_ fields: [(String, String)] = []) {
    self.fields = []
    for (name, value) in fields { add(name, value) }
  }

  /// Appends a field, even when a field of the same name exists.
  ///
  /// Fields that conventionally carry credentials (`Authorization`, `Cookie`, ...) are always
  /// secret.
  package mutating func add(_ name: String, _ value: String, isSecret: Bool = false) {
    let secret = isSecret || Self.credentialNames.contains(name.lowercased())
    fields.append(HeaderField(name: name, value: value, isSecret: secret))
  }

  /// The first value of that name; setting replaces all values, nil removes them.
  package subscript(name: String) -> String? {
    get { values(name).first }
    set {
      fields.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { add(name, newValue) }
    }
  }

  /// Every value of that name, in order.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The fields that may go to an origin other than the request's own.
  var withoutSecrets: HTTPHeaders {
    var copy = self
    copy.fields.removeAll(where: \.isSecret)
    return copy
  }

  private static let credentialNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key",
    "x-app-token-code",
  ]
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible {
  /// One `name: value` a line; secret values are `***`.
  package var description: String {
    fields.map(\.description).joined(separator: "\n")
  }

  package var debugDescription: String { description }
}

extension HTTPHeaders.HeaderField: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "\(name): \(isSecret ? "***" : value)" }
  package var debugDescription: String { description }
}
