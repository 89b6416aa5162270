import Foundation

/// Words in texts for people that sound translated, or make a reader stop; each with the usual way.
///
/// It reads messages and helps (the texts of Swift files), the manual and what pages show.
struct ProseCheck: Check {
  struct Phrase: Sendable {
    /// A regular expression, for one sentence in one line.
    let pattern: String
    let instead: String
  }

  static let phrases: [Phrase] = [
    Phrase(pattern: #"\b[Oo]f (?:whom|which)\b"#, instead: "make two sentences"),
    Phrase(
      pattern: #"(?:^|[.:;] )(?:Who|Whom|Whose) [^.?:;]*[.;](?: |$)"#,
      instead: "begin with 'People who', or with the subject"),
    Phrase(
      pattern: #"\b(?:that|which) (?:is|are|was|were) there\b"#, instead: "say 'existing'"),
    Phrase(pattern: #"\b(?:is|are|was|were) not there\b"#, instead: "say 'missing'"),
    Phrase(pattern: #"\b(?:tells?|told|telling) of\b"#, instead: "say 'names', 'is about'"),
    Phrase(pattern: #"\b(?:of|from) before\b"#, instead: "say 'the old'"),
    Phrase(
      pattern: #"\bin (?:no|neither) (?:number|figure|share|mean|row|comparison)s?\b"#,
      instead: "say 'is not counted', 'leaves out'"),
    Phrase(pattern: #"\bany more\b"#, instead: "say 'no longer'"),
    Phrase(pattern: #"\banew\b"#, instead: "say 'again'"),
    Phrase(pattern: #"\bwhoever\b"#, instead: "say 'everybody who'"),
    Phrase(pattern: #"(?<![Tt]here )\b(?:is|are) none\b(?! of)"#, instead: "say 'is not one'"),
    Phrase(
      pattern: #"\b(?:that|it|which|this|they|and) (?:is|are) no (?!longer|more|less|way\b|need)"#,
      instead: "say 'is not a'"),
    Phrase(
      pattern:
        #"\b[Ss]tands? (?:in|on|over|under|below|above|behind|beside|first|there)\b(?! for)"#,
      instead: "say 'is'"),
    Phrase(
      pattern: #"\bstood (?:in|on|over|under|below|beside|there|open)\b"#, instead: "say 'was'"),
    Phrase(
      pattern: #"\b(?:is|are|was|were|be) (?:not |never |only )?told\b(?! apart| to\b)"#,
      instead: "say who gets a message, or 'is listed'"),
    Phrase(pattern: #"\b(?:is|are|was) said\b"#, instead: "say who says it"),
    Phrase(pattern: #"\b(?:but|save) for\b"#, instead: "say 'except'"),
    Phrase(pattern: #"\bso many\b"#, instead: "give the number, or say 'that number of'"),
    Phrase(
      pattern:
        #"^(?:Installed|Optional|Hidden|Not made|(?:Beside|Behind|Above) \w+( \w+)?) (?:is|are|stands) "#,
      instead: "begin with the subject"),
    Phrase(pattern: #"\bneither[.;](?: |$)"#, instead: "say 'not ... either'"),
    Phrase(pattern: #"\bfor good\b"#, instead: "say 'permanently'"),
    Phrase(pattern: #"\bwhat becomes? of\b|\bwhat became of\b"#, instead: "say 'what happens to'"),
    Phrase(pattern: #"\bwhich was not asked\b|\bnobody asks\b"#, instead: "say who was not asked"),
    Phrase(pattern: #"\bwhat (?:is there|there is|it calls)\b"#, instead: "name the thing"),
    Phrase(pattern: #"\ball but stopped\b"#, instead: "say 'almost'"),
  ]

  /// The texts of a Swift file; those of the emulator are Google's.
  func findings(in file: SwiftFile) -> [Finding] {
    guard !file.path.hasPrefix("Sources/Emulator/") else { return [] }
    return CodeMask.texts(of: file.text).flatMap { literal in
      Self.findings(in: [(literal.line, literal.text)], at: file.path)
    }
  }

  /// A page in Markdown: its paragraphs, items and cells, without code.
  static func findings(inMarkdown text: String, at path: String) -> [Finding] {
    findings(in: paragraphs(ofMarkdown: text), at: path)
  }

  /// Any other text, as one paragraph a line.
  static func findings(inLinesOf text: String, at path: String) -> [Finding] {
    findings(in: Array(zip(1..., text.split(separator: "\n").map(String.init))), at: path)
  }

  private static func findings(in parts: [(line: Int, text: String)], at path: String) -> [Finding]
  {
    parts.flatMap { line, text in
      sentences(of: text).flatMap { sentence in
        // One pass over all phrases: nearly every sentence has none.
        guard anyPhrase.map({ found($0, in: sentence) != nil }) ?? true else { return [Finding]() }
        return phrases.compactMap { phrase in
          guard let expression = try? NSRegularExpression(pattern: phrase.pattern),
            let words = found(expression, in: sentence)
          else { return nil }
          return Finding(path: path, line: line, message: "'\(words)': \(phrase.instead)")
        }
      }
    }
  }

  private static let anyPhrase = try? NSRegularExpression(
    pattern: phrases.map { "(?:\($0.pattern))" }.joined(separator: "|"))

  private static func found(_ expression: NSRegularExpression, in sentence: String) -> Substring? {
    let all = NSRange(sentence.startIndex..., in: sentence)
    let match = expression.firstMatch(in: sentence, range: all)
    return match.flatMap { Range($0.range, in: sentence) }.map { sentence[$0] }
  }

  /// Without code in back-ticks, and with single spaces.
  private static func sentences(of text: String) -> [String] {
    let plain = text.replacing(/`[^`]*`/, with: "`x`").replacing(/\s+/, with: " ")
    return plain.replacing(/(?<end>[.!?]) (?=[A-Z`"(])/) { "\($0.output.end)\n" }
      .split(separator: "\n").map(String.init)
  }

  private static func paragraphs(ofMarkdown text: String) -> [(line: Int, text: String)] {
    var parts: [(line: Int, text: String)] = []
    var isCode = false
    var isOpen = false
    for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("```") { isCode.toggle() }
      guard !isCode, !trimmed.isEmpty, !trimmed.hasPrefix("```") else {
        isOpen = false
        continue
      }
      if trimmed.hasPrefix("|") {
        parts += trimmed.split(separator: "|").map {
          (number, $0.trimmingCharacters(in: .whitespaces))
        }
        isOpen = false
      } else if isOpen, !trimmed.hasPrefix("#"), trimmed.firstMatch(of: #/^(?:[-*]|\d+\.) /#) == nil
      {
        parts[parts.count - 1].text += " " + trimmed
      } else {
        parts.append((number, trimmed.replacing(#/^(?:[-*]|\d+\.|\#+) /#, with: "")))
        isOpen = !trimmed.hasPrefix("#")
      }
    }
    return parts
  }
}
