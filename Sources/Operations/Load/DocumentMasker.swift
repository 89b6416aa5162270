import CollectionMapping
package import Firestore
import Model
import Reports
package import Workspace

/// A masker of one source's documents, by the rules of a workspace; see `docs/load.md#masks`.
package struct DocumentMasker: Sendable {
  /// The largest number of words in a masked value that is searched for in other texts.
  private static let mostWords = 4
  /// The length below which masked values are not searched for in other texts.
  private static let shortest = 3

  private let rules: MaskRules
  private let pseudonyms: ValuePseudonyms
  /// The marks of all masked ids and texts, which are replaced wherever they occur.
  private var ids: Set<UInt64> = []
  private var texts: Set<UInt64> = []
  /// The numbers of values in undeclared fields that look personal, such as
  /// `Users.contact (mail address)`.
  package private(set) var undeclared: [String: Int] = [:]

  /// Reads the whole source, to collect masked values and undeclared fields.
  ///
  /// The key is the workspace's; the first masking creates it.
  package init(_ rules: MaskRules, surveying source: LoadSource, in workspace: Workspace) throws {
    self.rules = rules
    pseudonyms = ValuePseudonyms(try WorkspaceKey.masks.made(in: workspace).hash)
    let reader = try source.reader(after: "")
    while true {
      let documents = try reader.next()
      guard !documents.isEmpty else { break }
      try Task.checkCancellation()
      for document in documents { survey(document) }
    }
  }

  private mutating func survey(_ document: Document) {
    let path = ResourceName.ids(in: document.name).dropFirst(5)
    for (collection, id) in Self.pairs(path) where rules.masksIds(of: collection) {
      ids.insert(pseudonyms.mark(of: id))
      note(id)
    }
    guard let collection = path.dropLast().last else { return }
    for (name, value) in document.fields {
      survey(value, at: [name], in: collection, by: nil)
    }
  }

  private mutating func survey(
    _ value: Value, at path: [String], in collection: String, by outer: MaskAction?
  ) {
    let action = rules.action(for: path, in: collection) ?? outer
    if action == nil, let look = PersonalLook(value, named: path.last ?? "") {
      let name = FieldPath(segments: path).description
      undeclared["\(collection).\(name) (\(look.rawValue))", default: 0] += 1
    }
    switch value {
    case .array(let elements):
      for element in elements { survey(element, at: path, in: collection, by: action) }
    case .map(let fields):
      for (name, inner) in fields {
        survey(inner, at: path + [name], in: collection, by: action)
      }
    case .string(let text) where action == .mask || action == .drop: note(text)
    case .reference(let name) where action == .mask || action == .drop:
      for (_, id) in Self.pairs(ResourceName.ids(in: name).dropFirst(5)) {
        ids.insert(pseudonyms.mark(of: id))
        note(id)
      }
    default: break
    }
  }

  private mutating func note(_ text: String) {
    guard text.unicodeScalars.count >= Self.shortest else { return }
    texts.insert(pseudonyms.mark(of: text))
  }

  private static func pairs(_ path: ArraySlice<String>) -> [(collection: String, id: String)] {
    let ids = Array(path)
    return stride(from: 0, to: ids.count - 1, by: 2).map { (ids[$0], ids[$0 + 1]) }
  }
}

extension DocumentMasker {
  /// Returns the document with declared fields masked, and masked ids and texts replaced
  /// everywhere.
  package func masked(_ document: Document) throws -> Document {
    let path = ResourceName.ids(in: document.name).dropFirst(5)
    let collection = path.dropLast().last ?? ""
    var fields: [String: Value] = [:]
    for (name, value) in document.fields {
      guard let kept = masked(value, at: [name], in: collection, by: nil) else { continue }
      fields[key(name)] = kept
    }
    return Document(name: masked(name: document.name), fields: fields)
  }

  /// Returns the masked value; nil for a dropped one.
  private func masked(
    _ value: Value, at path: [String], in collection: String, by outer: MaskAction?
  ) -> Value? {
    let action = rules.action(for: path, in: collection) ?? outer
    switch value {
    case .array(let elements):
      let kept = elements.compactMap { masked($0, at: path, in: collection, by: action) }
      return action == .drop && kept.isEmpty ? nil : .array(kept)
    case .map(let fields):
      var kept: [String: Value] = [:]
      for (name, inner) in fields {
        guard let value = masked(inner, at: path + [name], in: collection, by: action) else {
          continue
        }
        kept[key(name)] = value
      }
      return action == .drop && kept.isEmpty ? nil : .map(kept)
    case _ where action == .drop: return nil
    case .reference(let name): return .reference(masked(name: name))
    case .string(let text):
      if action == .keep { return value }
      return .string(action == .mask ? pseudonym(text) : replaced(text))
    default: return action == .mask ? pseudonyms.value(value) : value
    }
  }

  private func isId(_ text: some StringProtocol) -> Bool {
    ids.contains(pseudonyms.mark(of: text))
  }

  private func pseudonym(_ text: String) -> String { pseudonyms.text(text, isId: isId(text)) }

  private func key(_ name: String) -> String { isId(name) ? pseudonym(name) : name }

  /// Returns the name with masked ids replaced, even if its documents do not exist.
  private func masked(name: String) -> String {
    var ids = ResourceName.ids(in: name)
    for index in stride(from: 6, to: ids.count, by: 2) {
      guard isId(ids[index]) || rules.masksIds(of: ids[index - 1]) else { continue }
      ids[index] = pseudonyms.text(ids[index], isId: true)
    }
    return ids.joined(separator: "/")
  }

  /// Returns an undeclared text with values replaced that are masked elsewhere, as a whole or by
  /// word.
  private func replaced(_ text: String) -> String {
    if texts.contains(pseudonyms.mark(of: text)) { return pseudonym(text) }
    let words = Self.words(of: text)
    guard words.count > 0 else { return text }
    var result = ""
    var end = text.startIndex
    var index = 0
    while index < words.count {
      let most = min(Self.mostWords, words.count - index)
      let found = stride(from: most, to: 0, by: -1).first { count in
        let range = words[index].lowerBound..<words[index + count - 1].upperBound
        return texts.contains(pseudonyms.mark(of: text[range]))
      }
      guard let found else {
        index += 1
        continue
      }
      let range = words[index].lowerBound..<words[index + found - 1].upperBound
      result += text[end..<range.lowerBound] + pseudonym(String(text[range]))
      end = range.upperBound
      index += found
    }
    return result + text[end...]
  }

  /// Returns the words of a text, split at white space and punctuation, without dots at the ends.
  private static func words(of text: String) -> [Range<String.Index>] {
    text.split { $0.isWhitespace || ",;:!?()[]{}<>\"'/=|".contains($0) }.compactMap { word in
      var word = word
      while word.last == "." { word.removeLast() }
      while word.first == "." { word.removeFirst() }
      return word.isEmpty ? nil : word.startIndex..<word.endIndex
    }
  }

  /// A sentence about undeclared fields; nil when all fields are declared.
  package var warning: String? {
    guard !undeclared.isEmpty else { return nil }
    let fields = undeclared.sorted { $0.key < $1.key }
      .map { "\($0.key) \(NumberWords.grouped($0.value))" }
    return "Undeclared fields look personal and would be written as they are: "
      + "\(fields.joined(separator: ", ")). Declare each under 'masks' in the collection's job, as "
      + "mask, drop or keep."
  }
}
