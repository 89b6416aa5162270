import Testing

@testable import Model

struct FirestoreEditionTests {
  private let standard = FirestoreEdition.standard.rules
  private let enterprise = FirestoreEdition.enterprise.rules

  @Test func `each edition has its own rules`() {
    for edition in FirestoreEdition.allCases { #expect(edition.rules.edition == edition) }
  }

  @Test func `what Standard does and Enterprise does not`() {
    let rules = [
      \EditionRules.servesPartitionQueries, \.listsMissingDocuments, \.explainsQueries,
      \.refusesUnindexedQueries, \.indexesFieldsByItself, \.hasImpliedOrder,
      \.ordersNumericIdsFirst,
    ]
    #expect(rules.allSatisfy { standard[keyPath: $0] })
    #expect(!rules.contains { enterprise[keyPath: $0] })
  }

  @Test func `what Enterprise does and Standard does not`() {
    let rules = [
      \EditionRules.inequalityMatchesMissing, \.nestsArrays, \.sumOfNothingIsNull,
      \.sumOverflowFails,
    ]
    #expect(!rules.contains { standard[keyPath: $0] })
    #expect(rules.allSatisfy { enterprise[keyPath: $0] })
  }

  @Test func `names begin with the lowest number, or with the lowest byte`() {
    #expect(standard.lowestId == "__id-9223372036854775808__")
    #expect(enterprise.lowestId == "\u{1}")
  }

  @Test func `an index entry has a density on Enterprise alone`() {
    #expect(standard.indexDensity == nil)
    #expect(enterprise.indexDensity == "DENSE")
  }

  @Test func `BSON values are maps of one key on Enterprise alone`() {
    #expect(standard.bsonKeys.isEmpty)
    #expect(enterprise.bsonKeys.isSuperset(of: ["__oid__", "__decimal128__"]))
    #expect(enterprise.bsonKeys.count == 8)
  }

  @Test(arguments: [(0, 1, 1), (128, 1, 1), (129, 1, 2), (1_000, 1, 8), (1_001, 2, 8)])
  func `a count bills a read for a thousand documents, or 32 bytes for each`(
    documents: Int, reads: Int, units: Int
  ) {
    #expect(standard.readsOfCount(documents) == reads)
    #expect(enterprise.readsOfCount(documents) == units)
  }

  @Test(arguments: [
    ("Service not implemented for Enterprise DB: PartitionQuery", true),
    ("Enterprise database does not support explain yet", true),
    ("Explain is not supported for Enterprise edition databases", false),
    ("PartitionQuery is not implemented", false), ("", false),
  ])
  func `an error tells an Enterprise database`(message: String, isEnterprise: Bool) {
    #expect(EditionRules.isEnterprise(message) == isEnterprise)
  }

  @Test(arguments: [
    (FirestoreEdition.standard, 0, "0 billed reads"), (.standard, 1, "1 billed read"),
    (.standard, 1_200, "1200 billed reads"), (.enterprise, 1, "1 read unit"),
    (.enterprise, 2, "2 read units"),
  ])
  func `reads are counted in the unit of the edition`(
    edition: FirestoreEdition, count: Int, words: String
  ) {
    #expect(edition.billed(count) == words)
  }
}
