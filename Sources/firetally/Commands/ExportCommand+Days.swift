import ArgumentParser
import Feeds
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

/// `firetally export --since`: a file for each day; see `docs/export.md#by-day`.
extension ExportCommand {
  /// A civil day of the workspace's time zone, which is over.
  struct ExportedDay {
    let name: String
    let span: Range<Instant>
  }

  func validateDays() throws {
    guard relations == nil, table == nil else {
      throw ValidationError("--since writes tables by day: leave out --relations and --table.")
    }
    guard let query, !query.isEmpty else { throw ValidationError("Name a table or a view.") }
    guard let to, !["", "-"].contains(to) else {
      throw ValidationError("--since writes several files: give their folder with --to.")
    }
    guard format != .sqlite else {
      throw ValidationError("--since writes csv, ndjson or parquet, not sqlite.")
    }
  }

  /// Writes a file for each day that is over, all from one snapshot; files that would be the same
  /// stay as they are.
  func writeDays(
    since: CivilDay, _ store: Store, _ invocation: Invocation, _ opened: OpenWorkspace
  ) throws {
    let (table, folder) = (query ?? "", to ?? "")
    let target = ExportTarget(inFolder: format, isGzip: gzip)
    let days = try Self.days(
      since: since, now: invocation.now, timeZone: opened.config.timeZone)
    let mode = opened.config.outputMode
    var (written, rows) = (0, 0)
    try snapshot(store) { reader in
      let column = try column(of: table, reader)
      try FileContents.makeFolder(folder, mode: mode)
      let all = days[0].span.lowerBound..<days[days.count - 1].span.upperBound
      let types = try target.types(
        of: try reader.exportQuery(ofTable: table, by: column, in: all))
      for day in days {
        let file = "\(folder)/\(day.name).\(target.ending)"
        let draft = try DraftFile(for: file, mode: mode)
        rows += try target.write(
          try reader.exportQuery(ofTable: table, by: column, in: day.span), types: types,
          to: draft, named: file)
        if try draft.finishIfChanged() { written += 1 }
      }
    }
    let same = days.count - written
    try invocation.output.remark(
      "\(NumberWords.counted(rows, "row")) in \(NumberWords.counted(days.count, "file")) of "
        + "\(folder): \(NumberWords.grouped(written)) written, \(NumberWords.grouped(same)) the same",
      json: [
        "message_type": "export", "folder": folder, "format": target.format, "rows": rows,
        "files": days.count, "written": written,
      ])
  }

  /// Returns the days from the first one to yesterday, in a time zone.
  ///
  /// - Throws: `CommandError` when there are none, or more than ten years of them.
  static func days(
    since: CivilDay, now: Instant, timeZone: String
  ) throws -> [ExportedDay] {
    let names = ReportCalendar(timeZone: timeZone)
    let today = names.day(of: now)
    let count = since.distance(to: today)
    guard count <= mostDays else {
      throw CommandError(
        .usage, "--since takes at most \(NumberWords.grouped(mostDays)) days: begin later.")
    }
    let calendar = Calendar(in: TimeZone(checked: timeZone))
    let starts = (0...max(0, count)).map { Instant(since.start(in: calendar, after: $0)) }
    // A zone that crosses the date line leaves out a day.
    let days = zip(starts, starts.dropFirst()).filter { $0 < $1 }.map { start, end in
      ExportedDay(name: names.day(of: start).iso8601, span: start..<end)
    }
    guard !days.isEmpty else {
      throw CommandError(.usage, "--since takes a day before today, \(today.iso8601).")
    }
    return days
  }

  private static let mostDays = 3_660

  /// Returns the column of times that decides the day of a row.
  private func column(of table: String, _ reader: Reader) throws -> String {
    let columns = try reader.instantColumns(ofTable: table)
    guard let first = columns.first else {
      throw CommandError(
        .usage,
        "'\(table)' has no column of times in microseconds, so its rows have no days: export it "
          + "whole, without --since.")
    }
    guard let by else { return first }
    guard let named = columns.first(where: { $0.lowercased() == by.lowercased() }) else {
      throw CommandError(
        .usage,
        "'\(by)' is no column of times of '\(table)'. There are: \(columns.joined(separator: ", "))."
      )
    }
    return named
  }
}
