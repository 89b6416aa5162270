import Firestore

/// The names of messages' fields, which proto3's JSON mapping takes in either of two spellings.
///
/// See `docs/firestore.md#endpoints`.
enum WireName {
  /// `startAt` for `start_at`.
  static func camelCase(_ name: some StringProtocol) -> String {
    guard name.utf8.contains(UInt8(ascii: "_")) else { return String(name) }
    var camel = ""
    var startsWord = false
    for scalar in name.unicodeScalars {
      guard scalar != "_" else {
        startsWord = true
        continue
      }
      camel += startsWord ? String(scalar).uppercased() : String(scalar)
      startsWord = false
    }
    return camel
  }
}

extension JSON {
  /// The same message with its members' names in camel case; keys of users' own maps stay.
  ///
  /// Throws when two members come to have the same name.
  func withCamelCaseNames() throws(RefusedRequest) -> JSON {
    hasUnderscoredName ? try renamed() : self
  }

  /// The members whose keys are somebody's own: a document's or map's fields, and labels.
  private static let mapNames: Set<String> = ["fields", "labels"]

  private var hasUnderscoredName: Bool {
    switch self {
    case .object(let members):
      members.contains { key, value in
        guard !key.utf8.contains(UInt8(ascii: "_")) else { return true }
        guard JSON.mapNames.contains(key), case .object(let own) = value else {
          return value.hasUnderscoredName
        }
        return own.values.contains(where: \.hasUnderscoredName)
      }
    case .array(let elements): elements.contains(where: \.hasUnderscoredName)
    default: false
    }
  }

  private func renamed() throws(RefusedRequest) -> JSON {
    switch self {
    case .object(let members):
      var renamed: [String: JSON] = [:]
      for (key, value) in members {
        let name = WireName.camelCase(key)
        let value = try JSON.mapNames.contains(name) ? value.withOwnKeys() : value.renamed()
        guard renamed.updateValue(value, forKey: name) == nil else {
          throw .invalid("Invalid JSON payload received. \"\(name)\" is given twice.")
        }
      }
      return .object(renamed)
    case .array(let elements):
      var renamed: [JSON] = []
      for element in elements { renamed.append(try element.renamed()) }
      return .array(renamed)
    default: return self
    }
  }

  /// Keeps the keys of an object, and renames inside its values; `select` has an array instead.
  private func withOwnKeys() throws(RefusedRequest) -> JSON {
    guard case .object(var members) = self else { return try renamed() }
    for (key, value) in members { members[key] = try value.renamed() }
    return .object(members)
  }
}
