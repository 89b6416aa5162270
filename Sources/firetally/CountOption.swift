import ArgumentParser

/// How many rows of a list are printed.
struct CountOption: ParsableArguments {
  @Option(parsing: .unconditional, help: "How many, 1 to 10000.")
  var limit = 20

  func validate() throws { try (1...10_000).check(limit, "--limit") }
}

extension ClosedRange<Int> {
  /// - Throws: `ValidationError` for a number of an option that lies outside; nil is none.
  func check(_ number: Int?, _ option: String) throws {
    guard let number, !contains(number) else { return }
    throw ValidationError("\(option) takes \(lowerBound) to \(upperBound).")
  }
}
