import Firestore

/// A name as the key of a dictionary: equal only byte for byte.
///
/// Swift's strings are equal when they look the same, so `é` as one or as two code points would be
/// one id; to Firestore they are two.
struct NameKey: Hashable, Sendable {
  let text: String

  init(_ name: ResourceName) { text = name.description }

  init(text: String) { self.text = text }

  static func == (left: NameKey, right: NameKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}

extension ResourceName {
  /// Reads a name that a request holds.
  init(requested text: String) throws(RefusedRequest) {
    do {
      try self.init(parsing: text)
    } catch {
      throw .invalid(error.problem)
    }
  }

  var isRoot: Bool { segments.isEmpty }

  /// Throws unless the name is that of a document.
  func requireDocument() throws(RefusedRequest) {
    guard isDocument else {
      throw .invalid("\"\(self)\" is not the name of a document: it needs pairs of ids")
    }
  }
}
