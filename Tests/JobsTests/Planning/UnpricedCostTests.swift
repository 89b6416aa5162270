import Model
import Testing

@testable import Jobs

@Suite struct UnpricedCostTests {
  static let rows: [(UnpricedCost, FirestoreEdition, String)] = [
    (.partitions(4, isFiltered: false), .standard, "up to 97 billed reads and one for each 90 "),
    (.partitions(4, isFiltered: false), .enterprise, "up to 97 read units and one for each 11 "),
    (.silentChanges(of: "a.b"), .standard, "without a new a.b are fetched"),
    (.silentChanges(of: "a.b"), .standard, "for one billed read each."),
    (.silentChanges(of: "a.b"), .enterprise, "for one read unit each, more beyond 4 KiB."),
    (.namesAfterCount, .standard, "for one billed read each."),
    (.namesAfterCount, .enterprise, "for one read unit for each 128 of them."),
    (.feedbackReadBack, .standard, "at most one billed read per item."),
    (.feedbackReadBack, .enterprise, "at most one read unit per item, more beyond 4 KiB."),
    (.absence(of: "A/b"), .enterprise, "whether A/b is there;"),
  ]

  @Test(arguments: rows)
  func `what a plan leaves out is told in the unit of the edition`(
    cost: UnpricedCost, edition: FirestoreEdition, words: String
  ) {
    #expect(cost.sentence(on: edition).contains(words))
  }

  @Test(arguments: [true, false])
  func `a filter may leave partitions uneven`(isFiltered: Bool) {
    let sentence = UnpricedCost.partitions(2, isFiltered: isFiltered).sentence(on: .standard)
    #expect(sentence.contains("uneven") == isFiltered)
  }
}
