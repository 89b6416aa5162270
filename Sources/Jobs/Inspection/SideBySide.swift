/// Work on several things at a time.
enum SideBySide {
  /// As many as a server and a laptop bear easily; `docs/inspect.md#cost`.
  private static let width = 8

  /// Performs work for each of the items, `width` at a time.
  ///
  /// - Returns: the results in the items' order.
  /// - Throws: the first error; the other work is cancelled.
  static func map<Item: Sendable, Answer: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Answer
  ) async throws -> [Answer] {
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      var answers = [Answer?](repeating: nil, count: items.count)
      for (index, item) in items.enumerated() {
        if index >= width, let (done, answer) = try await group.next() { answers[done] = answer }
        group.addTask { (index, try await work(item)) }
      }
      for try await (done, answer) in group { answers[done] = answer }
      return answers.compactMap(\.self)
    }
  }
}
