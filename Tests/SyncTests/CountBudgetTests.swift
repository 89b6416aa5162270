import Firestore
import Testing

@testable import Sync

/// Counts that may cost only so much; see `docs/jobs.md#read-budget`.
@Suite struct CountBudgetTests {
  /// Reads allowed, documents there are, what the count says, and what it was billed.
  static let rows: [(Int?, Int, Int?, Int)] = [
    (nil, 1_200, 1_200, 2), (0, 10, nil, 0), (1, 999, 999, 1), (1, 1_000, nil, 1),
    (1, 1_200, nil, 1), (2, 1_200, 1_200, 2), (5, 0, 0, 1),
  ]

  @Test("a count that its budget cuts short says nothing, and costs no more", arguments: rows)
  func budget(reads: Int?, documents: Int, expected: Int?, spent: Int) async throws {
    let workspace = try TemporaryStore()
    let paths = (0..<documents).map { ("C/d\($0)", [String: Value]()) }
    let allowance = ReadAllowance(reads)
    let pull = Pull(
      port: MemoryFirestore(Dictionary(uniqueKeysWithValues: paths)), store: workspace.store,
      reads: allowance)
    let query = StructuredQuery(from: [.init(collectionId: "C")])
    #expect(try await pull.count(of: query, under: nil, readTime: nil) == expected)
    #expect(allowance.spent == spent)
  }
}
