package import Model
import Reports
import Workspace

/// What an import changed of a day that had come before, or why it changed nothing;
/// docs/events.md#days-that-come-again.
package struct ExportNews: Hashable, Sendable {
  package enum Change: String, Sendable {
    case replaced
    case leftOut = "left-out"
    case waits, refused
    case cameTwice = "came-twice"
  }

  package let change: Change
  /// As `20261127`.
  package let day: Int
  /// The files that a command would name.
  package let files: [String]
  /// Events before, and those of the new export.
  package var before = 0
  package var now = 0
  /// Files that are missing, or events that were left out.
  package var count = 0
  /// Whether the command asked to replace whole days.
  var replacesDays = false
  /// The table that won.
  package var winner: ExportFileName.Table?

  init(_ change: Change, day: Int, files: [String]) {
    self.change = change
    self.day = day
    self.files = files
  }

  /// Whether a person has to act: the ledger may not hold what the export does.
  package var isWarning: Bool { ![.replaced, .leftOut].contains(change) }

  /// `2026-11-27`.
  package var isoDay: String {
    let digits = String(100_000_000 + day).dropFirst()
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
  }

  /// Without a full stop.
  package var sentence: String {
    let day = CivilDay(iso8601: isoDay)?.short ?? isoDay
    switch change {
    case .replaced:
      return "\(day) replaced: \(NumberWords.grouped(before)) before, "
        + "\(NumberWords.grouped(now)) now"
    case .leftOut:
      guard let winner else {
        return "\(day) unchanged: a later export has replaced this one. To bring it back: "
          + command("--replace-day")
      }
      return "\(day) unchanged: \(NumberWords.counted(count, "event")) left out, since the "
        + "\(winner) table has come"
    case .waits:
      return "\(day) unchanged: \(NumberWords.counted(count, "file")) of its new export "
        + "\(count == 1 ? "is" : "are") missing. Import them too; if these are all: "
        + command("--replace-day")
    case .refused:
      return "\(day) unchanged: its new export has \(NumberWords.counted(now, "event")), the "
        + "stored one \(NumberWords.grouped(before)). If the new one is right: "
        + command(replacesDays ? "--replace-day --force" : "--force")
    case .cameTwice:
      return "\(day) came twice with differing rows, and nothing was replaced: the names of the "
        + "files do not tell whether one corrects the other. If the last one does: "
        + command("--replace-day")
    }
  }

  private func command(_ options: String) -> String {
    let paths = files.map(ShellWord.quoted).joined(separator: " ")
    return "`firetally events import \(options) \(paths)`"
  }
}
