import FoundationEssentials

/// An id that stands where data names people.
package struct PersonMention {
  package typealias Bytes = UnsafeRawBufferPointer

  package let id: Bytes
  /// The collection of a document's id, or the field of a value; empty where neither is known.
  package let label: Bytes

  /// Whether the label itself says that the id is a user's: `userId`, `ios_user_id`, `uid`, or a
  /// collection of users.
  package func isOfUser(collections: Set<String>) -> Bool {
    let name = String(decoding: label, as: UTF8.self)
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
    return plain == "uid" || plain.hasSuffix("userid") || collections.contains(name)
  }
}

/// The one rule of what names a person; see `docs/privacy.md#what-names-a-person`.
///
/// Erasing asks it for one id, and loads ask it for all ids that were erased. Field names,
/// collection ids, numbers, times and parts of longer texts never name anybody.
package enum PersonMentions {
  package typealias Bytes = UnsafeRawBufferPointer

  /// Typed values of Firestore whose text is no string.
  private static let otherTypes = [
    "integerValue", "doubleValue", "timestampValue", "bytesValue", "nullValue", "createTime",
    "updateTime",
  ].map { Array($0.utf8) }
  private static let stringTypes = ["stringValue", "referenceValue"].map { Array($0.utf8) }

  /// Whether a value of a column or a key names one: as a whole, as the path of a document that
  /// has the id among its document ids, or as JSON with such a string.
  ///
  /// `label` is the column's name; empty where it is not known.
  package static func isAny(
    inValue value: Bytes, label: Bytes = Bytes(start: nil, count: 0),
    where isPerson: (PersonMention) -> Bool
  ) -> Bool {
    if isPerson(PersonMention(id: value, label: label)) || isAny(inPath: value, where: isPerson) {
      return true
    }
    guard let first = value.first, "{[\"".utf8.contains(first) else { return false }
    return isAny(inJSON: value, where: isPerson)
  }

  /// Whether a string that is a whole value of JSON names one; O(bytes).
  ///
  /// The JSON may be cut off or no JSON at all.
  package static func isAny(inJSON json: Bytes, where isPerson: (PersonMention) -> Bool) -> Bool {
    var (outer, key) = (Bytes(start: nil, count: 0), Bytes(start: nil, count: 0))
    var strings = JSONStrings(json)
    while let string = strings.next() {
      if string.isKey {
        (outer, key) = (key, string.bytes)
        continue
      }
      guard !otherTypes.contains(where: { key.elementsEqual($0) }) else { continue }
      let label = stringTypes.contains { key.elementsEqual($0) } ? outer : key
      let isNamed = string.withText { text in
        isPerson(PersonMention(id: text, label: label)) || isAny(inPath: text, where: isPerson)
      }
      if isNamed { return true }
    }
    return false
  }

  /// Whether a document id of a path, below the database or in full, is one.
  private static func isAny(inPath path: Bytes, where isPerson: (PersonMention) -> Bool) -> Bool {
    var parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
    if parts.count > 5, parts[0].elementsEqual("projects".utf8),
      parts[4].elementsEqual("documents".utf8)
    {
      parts = parts.dropFirst(5)
    }
    guard parts.count >= 2, parts.count.isMultiple(of: 2), parts.allSatisfy({ !$0.isEmpty }) else {
      return false
    }
    return stride(from: parts.startIndex, to: parts.endIndex, by: 2).contains { position in
      isPerson(
        PersonMention(
          id: Bytes(rebasing: parts[position + 1]), label: Bytes(rebasing: parts[position])))
    }
  }
}

/// The strings of a JSON text, one after another, without one that is cut off.
private struct JSONStrings {
  struct Found {
    /// Between the quotes, escapes as they are.
    let bytes: UnsafeRawBufferPointer
    let isKey: Bool
    let hasEscapes: Bool

    /// Hands over the text without escapes; nothing of escapes that JSON does not know.
    func withText(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
      guard hasEscapes else { return body(bytes) }
      let quoted = Data("\"".utf8) + Data(bytes) + Data("\"".utf8)
      guard var text = try? JSONDecoder().decode(String.self, from: quoted) else { return false }
      return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }

  private let json: UnsafeRawBufferPointer
  private var position = 0

  init(_ json: UnsafeRawBufferPointer) { self.json = json }

  mutating func next() -> Found? {
    guard let quote = json[position...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    var (end, hasEscapes) = (quote + 1, false)
    while end < json.count, json[end] != UInt8(ascii: "\"") {
      let isEscape = json[end] == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      end += isEscape ? 2 : 1
    }
    guard end < json.count else { return nil }
    position = end + 1
    let follower = json[position...].first { !" \t\r\n".utf8.contains($0) }
    return Found(
      bytes: UnsafeRawBufferPointer(rebasing: json[(quote + 1)..<end]),
      isKey: follower == UInt8(ascii: ":"), hasEscapes: hasEscapes)
  }
}

/// Which cells of a row may name people.
package enum PersonColumns: Sendable {
  /// One cell, which is the id of a user.
  case id(Int)
  /// All texts, by the rule of `PersonMentions`.
  case all
}
