/// What `/bin/sh` itself says of a command that it was given.
///
/// It repeats the words that it does not understand, and they may be a secret in the wrong place.
package enum ShellMessage {
  /// Reasons that hold nothing of the command.
  private static let reasons: Set<Substring> = [
    "not found", "command not found", "Permission denied", "No such file",
    "No such file or directory", "Is a directory", "Not a directory", "Directory nonexistent",
    "Exec format error", "Argument list too long", "Text file busy", "Bad substitution",
  ]

  /// A line of a command's output; one of the shell's own has `***` in place of the command's
  /// words.
  package static func shown(_ line: some StringProtocol) -> String {
    let line = String(line)
    guard let head = line.prefixMatch(of: #/\/bin\/sh: (-c: )?(line )?([0-9]+: )?/#) else {
      return line
    }
    let rest = line[head.range.upperBound...]
    if reasons.contains(rest) { return line }
    if rest.wholeMatch(of: /Syntax error: [A-Za-z "()&|;<>]+/) != nil { return line }
    let reason = rest.lastIndex(of: ":").map { rest[rest.index(after: $0)...].drop { $0 == " " } }
    guard let reason, reasons.contains(reason) else { return head.output.0 + "***" }
    return head.output.0 + "***: \(reason)"
  }
}
