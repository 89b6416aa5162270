/// A request in an audit log; large or private parts may be missing.
struct AuditedRequest {
  private(set) var parent: String?
  private var tags: [String] = []
  /// Of a document that the request names.
  private var documentName: String?
  private var collectionId: String?
  private var isGroup = false

  /// Reads the object of a request, and those within it that name what is read.
  mutating func read(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    try scanner.membersOrSkip { scanner, key throws(JSONScanner.Fault) in
      switch key {
      case "parent": parent = try scanner.textOrSkip()
      case "name": documentName = try scanner.textOrSkip()
      case "collectionId": collectionId = try scanner.textOrSkip()
      case "allDescendants":
        isGroup = scanner.peek() == UInt8(ascii: "t")
        try scanner.skipValue()
      case "documents": try readDocuments(&scanner)
      case "from":
        try scanner.elementsOrSkip { scanner throws(JSONScanner.Fault) in try read(&scanner) }
      case "addTarget", "query", "structuredQuery", "structuredAggregationQuery":
        try read(&scanner)
      case "requestOptions": try readOptions(&scanner)
      default: try scanner.skipValue()
      }
    }
  }

  /// The names of `batchGet`, or the target of a listener, which holds them one level deeper.
  private mutating func readDocuments(
    _ scanner: inout JSONScanner
  ) throws(JSONScanner.Fault) {
    guard scanner.peek() == UInt8(ascii: "[") else { return try read(&scanner) }
    try scanner.elements { scanner throws(JSONScanner.Fault) in
      let name = try scanner.textOrSkip()
      documentName = documentName ?? name
    }
  }

  private mutating func readOptions(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    try scanner.membersOrSkip { scanner, key throws(JSONScanner.Fault) in
      guard case "requestTags" = key else { return try scanner.skipValue() }
      try scanner.elementsOrSkip { scanner throws(JSONScanner.Fault) in
        if let tag = try scanner.textOrSkip(), !tag.isEmpty { tags.append(tag) }
      }
    }
  }

  /// Without duplicates, in the order of their bytes.
  var sentTags: [String] {
    Set(tags).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The collection's path, with `*` for the ids of documents, which may be people's; nil when the
  /// request does not name one.
  var collection: String? {
    if let collectionId, isGroup { return "\(collectionId) (group)" }
    if let collectionId {
      return (Self.pattern(of: parent ?? "") + [collectionId]).joined(separator: "/")
    }
    let path = Self.pattern(of: documentName ?? "")
    return path.count < 2 ? nil : path.dropLast().joined(separator: "/")
  }

  /// The ids below `projects/P/databases/D/documents`, those of documents as `*`.
  private static func pattern(of name: String) -> [String] {
    name.split(separator: "/").dropFirst(5).enumerated().map { place, id in
      place.isMultiple(of: 2) ? String(id) : "*"
    }
  }
}

/// Who made a request, without what names a person: docs/readers.md#the-audit-log.
struct AuditCaller {
  private var email: String?
  private var hasSubject = false
  private var isAppUser = false
  private var provider: String?

  mutating func read(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    try scanner.membersOrSkip { scanner, key throws(JSONScanner.Fault) in
      switch key {
      case "principalEmail": email = try scanner.textOrSkip()
      case "principalSubject": hasSubject = try scanner.textOrSkip()?.isEmpty == false
      case "thirdPartyPrincipal":
        isAppUser = isAppUser || scanner.peek() == UInt8(ascii: "{")
        try readToken(&scanner)
      default: try scanner.skipValue()
      }
    }
  }

  /// Reads the claims of an app user's token, which are nested.
  private mutating func readToken(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    try scanner.membersOrSkip { scanner, key throws(JSONScanner.Fault) in
      switch key {
      case "sign_in_provider":
        if let name = try scanner.textOrSkip() { provider = name }
      case "payload", "firebase": try readToken(&scanner)
      default: try scanner.skipValue()
      }
    }
  }

  var name: String {
    if isAppUser { return provider.map { "app users (\($0))" } ?? "app users" }
    guard let email, let at = email.lastIndex(of: "@") else {
      return hasSubject ? "a federated identity" : "not told"
    }
    let domain = email[email.index(after: at)...]
    return domain.hasSuffix(".gserviceaccount.com") ? email : "a person of \(domain)"
  }
}
