import Foundation

/// The help of one command, in the order in which it is read: what it does, its own options, the
/// common ones in one line, examples.
///
/// The parser prints the common options of every command in full and first; `firetally help common`
/// still does. See `docs/commands.md#help`.
enum HelpText {
  /// What stands for the common options.
  static let commonLine =
    "Common options: -C, -q, -v, --json, --profile, ...: see `firetally help common`"

  /// Where examples begin.
  static let examplesHead = "EXAMPLES:"

  /// - Parameter help: as the parser prints it.
  /// - Returns: the same text, without anything changed, for what is not one command's help.
  static func arranged(_ help: String) -> String {
    var sections = sections(of: help)
    guard let options = sections.firstIndex(where: { $0.first == "OPTIONS:" }),
      sections[options].contains(where: { $0.hasPrefix("  -C, --workspace ") }),
      !isCommon(sections)
    else { return help }
    sections[options] = ownOptions(sections[options])
    sections.insert([commonLine], at: options + 1)
    if sections[options].count == 1 { sections.remove(at: options) }
    if let usage = sections.firstIndex(where: { $0.first?.hasPrefix("USAGE:") == true }) {
      sections[usage] = [withoutCommon(sections[usage])]
    }
    let examples = sections.filter(areExamples).map { [examplesHead] + $0.dropFirst() }
    sections = sections.filter { !areExamples($0) } + examples
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// The message about a wrong command line, whose usage leaves the common options out.
  static func withShortUsage(_ message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.map { $0.hasPrefix("Usage:") ? withoutCommon([$0]) : $0 }.joined(separator: "\n")
  }

  /// Whether a paragraph holds examples, with or without a colon behind its head.
  private static func areExamples(_ section: [String]) -> Bool {
    section.first == examplesHead || section.first == String(examplesHead.dropLast())
  }

  /// Paragraphs, each with its lines.
  private static func sections(of help: String) -> [[String]] {
    help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .split(whereSeparator: \.isEmpty).map(Array.init)
  }

  /// Whether it is the help of the common options themselves.
  private static func isCommon(_ sections: [[String]]) -> Bool {
    sections.contains { $0.first?.hasPrefix("USAGE: firetally common") == true }
  }

  /// The section without the common options; an option may take several lines.
  private static func ownOptions(_ lines: [String]) -> [String] {
    var own: [String] = []
    var isOwn = true
    for line in lines {
      if line.hasPrefix("  -") { isOwn = !isCommonOption(line) }
      if isOwn { own.append(line) }
    }
    return own
  }

  private static func isCommonOption(_ line: String) -> Bool {
    let names = line.split { ", ".contains($0) }.prefix { $0.hasPrefix("-") }.map(String.init)
    return names.contains { ArgumentOrder.isGlobal($0) || $0 == "--version" || $0 == "--help" }
  }

  /// The usage without the options that every command takes.
  private static func withoutCommon(_ lines: [String]) -> String {
    let words = lines.joined(separator: " ").split(separator: " ").map(String.init)
    var kept: [String] = []
    var isOwn = true
    for word in words {
      if word.hasPrefix("[-") {
        let name = word.dropFirst().prefix { $0 != "]" }
        isOwn = !ArgumentOrder.isGlobal(String(name))
      }
      if isOwn { kept.append(word) }
      // The value of an option is a word of its own: `[--now <instant>]`.
      if word.hasSuffix("]") { isOwn = true }
    }
    return kept.joined(separator: " ")
  }
}
