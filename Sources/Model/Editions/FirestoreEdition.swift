/// The edition of a Firestore database; see `docs/editions.md`.
package enum FirestoreEdition: String, CaseIterable, Codable, Sendable {
  case standard, enterprise

  /// The rules of the edition.
  package var rules: EditionRules {
    switch self {
    case .standard: .standard
    case .enterprise: .enterprise
    }
  }
}

extension FirestoreEdition {
  /// The singular name of the unit of reads, where it is clear that they are billed.
  package var readNoun: String { self == .enterprise ? "read unit" : "read" }

  /// The singular name of the unit in which Google bills reads.
  package var billedNoun: String { self == .enterprise ? "read unit" : "billed read" }

  /// Returns a number of billed reads, ungrouped: `1 billed read`, `1200 read units`.
  package func billed(_ count: Int) -> String { "\(count) \(billedNoun)\(count == 1 ? "" : "s")" }
}

/// The behaviour of an edition where the two differ; each property is a row of
/// `docs/editions.md#what-differs`.
package struct EditionRules: Hashable, Sendable {
  package var edition: FirestoreEdition

  /// Whether `partitionQuery` is served.
  package var servesPartitionQueries: Bool
  /// Whether `list` takes `showMissing`.
  package var listsMissingDocuments: Bool
  /// Whether Core queries take `explainOptions`.
  package var explainsQueries: Bool

  /// Whether a query without its index is refused; otherwise it scans the collection.
  package var refusesUnindexedQueries: Bool
  /// Whether Firestore indexes single fields by itself, and takes `fieldOverrides`.
  package var indexesFieldsByItself: Bool
  /// The `density` of an index entry in `firestore.indexes.json`; nil without one.
  package var indexDensity: String?

  /// Whether a query without `orderBy` has a stable order, by name.
  package var hasImpliedOrder: Bool
  /// Whether ids of the form `__id7__` come first, by their number, instead of by their bytes.
  package var ordersNumericIdsFirst: Bool
  /// Whether `!=` and `not-in` match documents that lack the field, and null.
  package var inequalityMatchesMissing: Bool

  /// Whether an array may hold arrays.
  package var nestsArrays: Bool
  /// The size limit of a document, in bytes.
  package var maxDocumentBytes: Int
  /// The keys of maps with a single key that are values of MongoDB; empty for none.
  package var bsonKeys: Set<String>
  /// Whether the sum of no values is null instead of 0.
  package var sumOfNothingIsNull: Bool
  /// Whether a sum beyond 64 bits is an error instead of a double.
  package var sumOverflowFails: Bool

  /// The bytes of one billed read unit; nil where documents are billed.
  package var readUnitBytes: Int?
  /// The bytes of one billed write unit; nil where documents are billed.
  package var writeUnitBytes: Int?
}

extension EditionRules {
  static let standard = EditionRules(
    edition: .standard,
    servesPartitionQueries: true, listsMissingDocuments: true, explainsQueries: true,
    refusesUnindexedQueries: true, indexesFieldsByItself: true, indexDensity: nil,
    hasImpliedOrder: true, ordersNumericIdsFirst: true, inequalityMatchesMissing: false,
    nestsArrays: false, maxDocumentBytes: 1 << 20, bsonKeys: [],
    sumOfNothingIsNull: false, sumOverflowFails: false,
    readUnitBytes: nil, writeUnitBytes: nil)

  static let enterprise = EditionRules(
    edition: .enterprise,
    servesPartitionQueries: false, listsMissingDocuments: false, explainsQueries: false,
    refusesUnindexedQueries: false, indexesFieldsByItself: false, indexDensity: "DENSE",
    hasImpliedOrder: false, ordersNumericIdsFirst: false, inequalityMatchesMissing: true,
    nestsArrays: true, maxDocumentBytes: 1 << 20,
    bsonKeys: [
      "__oid__", "__min__", "__max__", "__int__", "__binary__", "__request_timestamp__",
      "__regex__", "__decimal128__",
    ],
    sumOfNothingIsNull: true, sumOverflowFails: true,
    readUnitBytes: ReadVolume.unitBytes, writeUnitBytes: 1_024)

  /// The message that refuses a method, such as `PartitionQuery`: with the status `UNIMPLEMENTED`,
  /// or with `FAILED_PRECONDITION`.
  package static func refusal(of method: String) -> String {
    "\(refusalStart): \(method)"
  }

  /// The beginning of the errors by which an Enterprise database is recognized.
  package static let refusalStart = "Service not implemented for Enterprise DB"

  /// The message that refuses `explainOptions`.
  package static let explainRefusal = "Enterprise database does not support explain yet"

  /// Whether an error's message can only come from an Enterprise database.
  package static func isEnterprise(_ message: String) -> Bool {
    message.contains(refusalStart)
      || message.lowercased().contains("enterprise") && message.contains("does not support explain")
  }

  /// Returns the read units of the bytes that one request processes; 1 where documents are billed.
  package func readUnits(bytes: Int) -> Int {
    guard readUnitBytes != nil else { return 1 }
    var volume = ReadVolume()
    volume.scan(bytes: bytes)
    return volume.units
  }

  /// The lowest id in the order of names.
  package var lowestId: String { ordersNumericIdsFirst ? "__id\(Int64.min)__" : "\u{1}" }

  /// The number of documents that one billed read, or unit, counts.
  package var documentsPerCountedRead: Int {
    readUnitBytes.map { $0 / ReadVolume.leastItemBytes } ?? 1_000
  }

  /// Returns the billed reads of counting documents without reading them; at least 1.
  package func readsOfCount(_ documents: Int) -> Int {
    max(1, (documents + documentsPerCountedRead - 1) / documentsPerCountedRead)
  }
}
