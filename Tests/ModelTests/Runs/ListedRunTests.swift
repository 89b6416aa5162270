import Model
import Testing

struct ListedRunTests {
  /// Runs of jobs that are named by one letter, `o` behind it for one that was not fresh; newest
  /// first, a second apart.
  private func folded(_ words: String) -> [String] {
    let runs = words.split(separator: " ").enumerated().map { number, word in
      Run(
        job: String(word.prefix(1)), kind: "settle", trigger: .scheduled,
        startedAt: Instant(unixSeconds: Int64(1_000 - number)),
        outcome: word.hasSuffix("o") ? .ok : .fresh)
    }
    return ListedRun.folding(runs).map { line in
      "\(line.run.job)\(line.count) \(line.run.startedAt.unixSeconds)-\(line.since.unixSeconds)"
    }
  }

  @Test(arguments: [
    ("", []), ("a", ["a1 1000-1000"]), ("a a", ["a2 1000-999"]),
    ("ao ao", ["a1 1000-1000", "a1 999-999"]),
    ("a ao a", ["a1 1000-1000", "a1 999-999", "a1 998-998"]),
    ("a b a b", ["a2 1000-998", "b2 999-997"]), ("a bo a", ["a2 1000-998", "b1 999-999"]),
  ])
  func `fresh runs of a job are one line until another run of it`(
    words: String, lines: [String]
  ) {
    #expect(folded(words) == lines)
  }
}
