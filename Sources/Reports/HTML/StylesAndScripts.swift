/// A style sheet within a page: ours (docs/decisions/010-report-design.md) or the reader's.
package struct StyleSheet: Hashable, Sendable {
  /// The text between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test checks it for our sheet.
  let digest: String

  /// Colours and type sizes by their roles, for light and dark screens.
  static let paletteRules = text(of: PackageResources.palette_css)
  /// Drawings: a gutter for the axis, hairlines for the grid, one meaning a colour.
  static let chartRules = text(of: PackageResources.charts_css)
  /// The app's popups, 24 px between parts, 4 px bars, 20 px corners: docs/reports.md#popups.
  ///
  /// They keep the app's colours where the reader forces others.
  static let popupRules = text(of: PackageResources.popups_css)

  /// After the page, its sections and tables come drawings, controls that scripts add, wide and
  /// narrow pages, paper, and the index.
  static let shared = StyleSheet(
    text: [
      paletteRules, text(of: PackageResources.page_css), chartRules,
      text(of: PackageResources.controls_css),
    ].joined(separator: "\n"),
    digest: "sha256-qPB9JEAaHg8/nCw0MOWGeX0Xtjin145EI0mxK0T5OtE=")

  /// The rules of the popups, for the pages that draw them.
  static let popups = StyleSheet(
    text: popupRules, digest: "sha256-Ie0D58W0WxNtiMs1L7Lbsz1sHeBk9qbwrcRJwqaVkp8=")

  /// A file of the folder `Styles`, which is compiled into the program, without its last line feed.
  private static func text(of file: [UInt8]) -> String {
    String(decoding: file.dropLast(), as: UTF8.self)
  }
}

extension StyleSheet {
  /// The reader's sheet, which follows ours: docs/reports.md#your-own-style-sheet.
  ///
  /// - Parameters:
  ///   - css: a text without a `StyleProblem`, with single line feeds, as the browser digests it.
  ///   - digest: `sha256-` and the SHA-256 of a text in base 64.
  package init(own css: String, digest: (String) -> String) {
    precondition(StyleProblem.all(in: css).isEmpty, "a sheet is checked before it is embedded")
    text = UnescapedText.marked(css)
    self.digest = digest(text)
  }
}

/// The text of a `style` or `script` element, which HTML does not unescape but XML does.
///
/// A CDATA section, within comments of CSS and JavaScript, makes both read the same text.
enum UnescapedText {
  static let start = "/*<![CDATA[*/"
  static let end = "/*]]>*/"

  /// Texts that would end the element or the section early; CSS and our scripts need none of them.
  static let breakouts = ["</", "<!--", "]]>"]

  static func marked(_ text: String) -> String {
    start + "\n" + text + "\n" + end
  }
}

/// Something that the reader's style sheet must not contain:
/// docs/reports.md#your-own-style-sheet.
package struct StyleProblem: Hashable, Sendable {
  package enum Violation: Hashable, Sendable {
    /// A text that would end the style sheet within the page.
    case breakout(String)
    /// A rule or function that would load a file, by its name.
    case load(String)
    /// A control character or noncharacter, by its code.
    case controlCharacter(UInt32)
  }

  /// The number of the line, from 1.
  package var line: Int
  package var violation: Violation

  /// All problems of a sheet, ordered by line.
  package static func all(in css: String) -> [StyleProblem] {
    let texts = css.split(separator: "\n", omittingEmptySubsequences: false)
    let inTexts = texts.enumerated().flatMap { index, text in
      violations(in: text).map { StyleProblem(line: index + 1, violation: $0) }
    }
    return (inTexts + StyleScanner.loads(in: css)).sorted { $0.line < $1.line }
  }

  private static func violations(in line: Substring) -> [Violation] {
    let breakouts = UnescapedText.breakouts.filter { line.contains($0) }.map(Violation.breakout)
    let controls = line.unicodeScalars.first { scalar in
      (scalar.value < 0x20 && scalar != "\t") || [0xFFFE, 0xFFFF].contains(scalar.value)
    }
    return breakouts + (controls.map { [.controlCharacter($0.value)] } ?? [])
  }
}

extension StyleProblem.Violation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .breakout(let text):
      "'\(text)' would end the style sheet inside the page. Leave it out."
    case .load("@import"):
      "@import would load another file, and a page loads nothing. Copy its rules here."
    case .load(let name):
      "\(name)() would load a file, and a page loads nothing; only url(#id) may be used. "
        + "Leave it out."
    case .controlCharacter(let code):
      "a control character (code \(code)) is no CSS. Remove it."
    }
  }
}

/// Finds what a style sheet would load, in tokens by CSS Syntax Level 3, section 4.
///
/// The Content-Security-Policy of the pages would block each load; the scanner reports it earlier,
/// with its line.
enum StyleScanner {
  /// Functions that load a file.
  private static let loading: Set<String> = [
    "url", "src", "image", "image-set", "-webkit-image-set",
  ]

  static func loads(in css: String) -> [StyleProblem] {
    // A comment, a string, or a name with what makes it a rule or a function.
    let token =
      #/
      \/\*[\s\S]*?(?:\*\/|\z)
      | "(?:\\[\s\S]|[^"\\\n])*"?
      | '(?:\\[\s\S]|[^'\\\n])*'?
      | (?<at>@?)(?<name>(?:[A-Za-z0-9_\-\u{80}-\u{10FFFF}]|\\[0-9A-Fa-f]{1,6}\s?|\\[^\n])+)
        (?:(?<call>\()\s*["']?(?<id>\#?))?
      /#.matchingSemantics(.unicodeScalar)
    return css.matches(of: token).compactMap { match in
      guard let name = match.output.name.map(unescaped) else { return nil }
      let isRule = match.output.at == "@"
      let loads =
        isRule
        ? name == "import"
        : match.output.call != nil && loading.contains(name)
          && !(name == "url" && match.output.id == "#")
      guard loads else { return nil }
      return StyleProblem(
        line: css[..<match.range.lowerBound].unicodeScalars.count { $0 == "\n" } + 1,
        violation: .load(isRule ? "@import" : name))
    }
  }

  /// In lower case, with the escapes decoded: up to six hexadecimal digits and a space, or any
  /// other character.
  private static func unescaped(_ name: Substring) -> String {
    name.replacing(/\\(?:([0-9A-Fa-f]{1,6})\s?|([\s\S]))/.matchingSemantics(.unicodeScalar)) {
      guard let digits = $0.output.1 else { return $0.output.2.map(String.init) ?? "" }
      return String(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
    }.lowercased()
  }
}

/// A script within a page, for what paper cannot do: docs/reports.md#with-javascript.
///
/// The sources are JavaScript files of the folder `Script`, compiled into the program.
struct PageScript: Hashable, Sendable {
  /// The text between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test checks it.
  let digest: String

  /// Sorts and filters tables; the other scripts use its functions.
  static let tables = PageScript(
    [PackageResources.page_js, PackageResources.tables_js],
    digest: "sha256-i8ekc7DZbygZ7moisEw12BOKf6C2zb33VwMBmkT6BlM=")
  /// Chooses the range of days that charts by day draw.
  static let days = PageScript(
    [PackageResources.days_js], digest: "sha256-IYUw+V0p+TGHlitBdULXBkxw62D/VLS9slnZrl0I3qU=")
  /// Searches in comments.
  static let feedback = PageScript(
    [PackageResources.feedback_js], digest: "sha256-FK94lDyO3qcFvjGl9I+lQNA4sn1e1BahP6WMEVPsJGM=")
  /// Shows two days of the past reports beside each other.
  static let compare = PageScript(
    [PackageResources.compare_js], digest: "sha256-MNOSILpSaJuCCwjMFJOMHLRfjc5ktXlrBWKiWJcfY5c=")

  /// The scripts that the pages of the reports need, in the order in which they run.
  static func needed(by reports: [Report]) -> [PageScript] {
    let blocks = reports.flatMap(\.sections).flatMap(\.blocks)
    var scripts = [tables]
    if blocks.compactMap(\.chart).contains(where: \.hasRange) { scripts.append(days) }
    if blocks.contains(where: \.isFeedback) { scripts.append(feedback) }
    if reports.contains(where: { $0.name == .history }) { scripts.append(compare) }
    return scripts
  }

  private init(_ sources: [[UInt8]], digest: String) {
    let lines = sources.flatMap { source in
      String(decoding: source, as: UTF8.self).split(separator: "\n").map { line in
        line.drop { $0 == " " }
      }
    }
    text = UnescapedText.marked(
      lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n"))
    self.digest = digest
  }
}

extension Block {
  /// Shorter lists have no search.
  private static let fewestSearched = 5

  fileprivate var isFeedback: Bool {
    guard case .feedback(let list) = self else { return false }
    return !list.entries.isEmpty && list.shownLimit >= Block.fewestSearched
  }
}
