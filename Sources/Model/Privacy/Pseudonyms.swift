/// Replaces people by pseudonyms in reports for others: docs/reports.md#anonymous.
///
/// An id keeps its pseudonym as long as the workspace keeps its key. Without the key nobody can
/// find the id, not even by trying all ids.
package struct Pseudonyms {
  private let hash: KeyedHash
  /// Whether a word is the id of a user in the workspace.
  private let isUserId: (String) throws -> Bool
  /// The ids of users that are not words.
  private let spaced: SpacedIds

  package init(
    _ hash: KeyedHash, spaced: SpacedIds = SpacedIds([]),
    isUserId: @escaping (String) throws -> Bool = { _ in false }
  ) {
    self.hash = hash
    self.spaced = spaced
    self.isUserId = isUserId
  }

  /// `user-` and ten letters or digits; empty for the empty id.
  package func user(_ id: String) -> String {
    id.isEmpty ? "" : "user-\(code("user", id))"
  }

  /// `profile-` and ten letters or digits; the default profile keeps its name.
  package func profile(_ name: String) -> String {
    name == Profile.defaultName ? name : "profile-\(code("profile", name))"
  }

  /// A message of the program or a server with user ids and e-mail addresses replaced.
  package func message(_ text: String, others: [String: String] = [:]) throws -> String {
    let text = spaced.adding(others.keys).replacing(in: text) { others[$0] ?? user($0) }
    return try PersonalText.replacing(text) { word in
      if let other = others[word] { return other }
      if PersonalText.isAddress(word) { return "[e-mail]" }
      return try isUserId(word) ? user(word) : nil
    }
  }

  /// A user's text with ids, contact data and the user's own name and id replaced.
  package func writing(
    _ text: String, by userId: String, named name: String?
  ) throws -> String {
    let parts = PersonalText.words(of: name ?? "").filter { $0.count > 1 }
    let names = Set(parts.map { PersonalText.bare($0) }).subtracting([""])
    // Scripts without spaces between words can have the name anywhere.
    let text = parts.filter { $0.utf8.count > 2 * $0.count }.reduce(text) { text, part in
      text.replacing(part, with: "[name]")
    }
    let numberless = spaced.adding([userId])
      .replacing(in: PersonalText.withoutNumbers(text), with: user)
    return try PersonalText.replacing(numberless) { word in
      if PersonalText.isAddress(word) { return "[e-mail]" }
      if PersonalText.isLink(word) { return "[link]" }
      if PersonalText.isHandle(word) { return "[handle]" }
      if names.contains(PersonalText.bare(word)) { return "[name]" }
      return try word == userId || isUserId(word) ? user(word) : nil
    }
  }

  /// 50 bits in Crockford's base 32: among 100,000 people two share one in 1 of 200 workspaces.
  private func code(_ kind: String, _ text: String) -> String {
    var bits = hash.of(Array(kind.utf8) + [0xff] + Array(text.utf8))
    var code = ""
    for _ in 0..<10 {
      code.append(Self.letters[Int(bits & 31)])
      bits >>= 5
    }
    return code
  }

  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
}
