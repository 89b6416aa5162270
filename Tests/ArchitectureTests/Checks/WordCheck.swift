import Foundation

/// Words that have no place in the sources, or only in one; `try!`, `as!` and `!` are the linter's.
struct WordCheck: Check {
  struct Word: Sendable {
    let pattern: String
    let reason: String
    /// Beginnings of the paths where it is allowed.
    var allowedUnder: [String] = []
  }

  let words: [Word]

  static let everywhere = WordCheck(words: [
    Word(pattern: #"\bfatalError\("#, reason: "throw, or state a precondition"),
    Word(
      pattern: #"\bdefinition\s+as\b|\bcase let \w+ as \w+Options\b"#,
      reason: "a kind says in its JobKind what it can",
      allowedUnder: [
        "Sources/Jobs/Kinds/", "Sources/Jobs/Engine/Job.swift",
      ]),
    Word(pattern: #"\bpublic\b"#, reason: "modules share with package access"),
    Word(
      pattern: #"@unchecked\s+Sendable\b"#,
      reason: "share values, an Atomic or a Mutex; what a thread owns is made there"),
    Word(
      pattern: #"\bnonisolated\(unsafe\)"#, reason: "share nothing, or share it through a Mutex"),
  ])

  /// What belongs to the executable, which passes it down.
  static let belowTheProgram = WordCheck(words: [
    Word(pattern: #"(?<![\w.])(?:debugPrint|print|dump)\("#, reason: "only the program prints"),
    Word(pattern: #"\bDate\(\)"#, reason: "the time is passed in"),
    Word(pattern: #"\bDate\.now\b"#, reason: "the time is passed in"),
    Word(pattern: #"\b(?:Continuous|Suspending)Clock\b"#, reason: "the time is passed in"),
    Word(
      pattern: #"\bclock_gettime\("#, reason: "the time is passed in",
      allowedUnder: ["Sources/Emulator/Server/EmulatorServer.swift"]),
    Word(pattern: #"\bProcessInfo\b"#, reason: "the environment is passed in"),
    Word(pattern: #"\b(?:getenv|setenv)\("#, reason: "the environment is passed in"),
    Word(pattern: #"\bCommandLine\b"#, reason: "arguments are passed in"),
    Word(pattern: #"(?<![\w.])_?exit\("#, reason: "only the program ends itself"),
  ])

  /// What the tests leave to one fixture, which cleans up after them.
  static let inTests = WordCheck(words: [
    Word(
      pattern: #"\b(?:temporaryDirectory|NSTemporaryDirectory|itemReplacementDirectory)\b"#,
      reason: "a TemporaryFolder goes when the test ends",
      allowedUnder: ["Tests/Fixtures/TemporaryFolder.swift"]),
    Word(
      pattern: #"\b(?:mkdtemp|mkstemp|tmpfile)\("#,
      reason: "a TemporaryFolder goes when the test ends"),
  ])

  func findings(in file: SwiftFile) -> [Finding] {
    words.flatMap { word in
      word.allowedUnder.contains { file.path.hasPrefix($0) } ? [] : findings(of: word, in: file)
    }
  }

  private func findings(of word: Word, in file: SwiftFile) -> [Finding] {
    var findings: [Finding] = []
    var rest = file.code[...]
    while let range = rest.range(of: word.pattern, options: .regularExpression) {
      findings.append(
        Finding(
          path: file.path, line: file.line(of: range.lowerBound),
          message: "'\(rest[range])': \(word.reason)"))
      rest = rest[range.upperBound...]
    }
    return findings
  }
}
