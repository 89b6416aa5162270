package import Model
import Reports
import Workspace

/// A change that an import made to a day that came again, or the reason for none;
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
  /// The files to name in a command.
  package let files: [String]
  /// The number of events before, and of events in the new export.
  package var before = 0
  package var now = 0
  /// The number of missing files or of left-out events.
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

  /// Whether a person has to act, because the ledger may differ from the export.
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
