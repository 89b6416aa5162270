import Reports

extension Finding {
  /// Evidence, quotes and advice, each as a line for a page.
  var supportWords: [String] {
    evidence.map(\.words) + quotes.map { "“\(VisibleText.clipped($0, to: 160))”" }
      + [advice.map { "Next: \($0)" }].compactMap(\.self)
  }

  /// One line of evidence and what to do next, for the index.
  var shortSupport: [String] {
    [evidence.first?.words, advice.map { "Next: \($0)" }].compactMap(\.self)
  }
}

extension Level {
  /// A shape for each level.
  var sign: String {
    switch self {
    case .pass: "●"
    case .notice: "○"
    case .warn: "▲"
    case .error: "■"
    }
  }
}
