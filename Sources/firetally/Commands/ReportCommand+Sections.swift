import Jobs
import Reports

/// The files of sections: docs/figures.md#trying-a-file.
extension ReportCommand {
  /// Prints a file as it is, header and query.
  func printSection(
    named name: String, of workspace: Workspace, on output: Output
  ) throws {
    let entry = try workspace.sections().entry(named: name)
    if entry.source.bytes.isEmpty { _ = try entry.query.get() }
    guard output.isJSON else { return try output.print(bytes: entry.source.bytes) }
    try output.print(
      json: [
        "message_type": "section", "name": entry.name, "file": entry.source.path,
        "own": entry.isOwn, "text": String(decoding: entry.source.bytes, as: UTF8.self),
      ] as JSONObject)
  }

  /// Reads all files and runs their queries; a wrong one makes the command fail at its end.
  func checkSections(of opened: OpenWorkspace, _ queries: ReportQueries, on output: Output) throws {
    let checked = try queries.faults(of: try opened.workspace.sections())
    for (entry, faults) in checked {
      try output.print(
        faults.isEmpty ? "\(entry.name): ok" : faults.joined(separator: "\n"),
        json: [
          "message_type": "section_check", "name": entry.name, "file": entry.source.path,
          "own": entry.isOwn, "faults": faults,
        ])
    }
    let wrong = checked.count { !$0.faults.isEmpty }
    guard wrong > 0 else { return }
    throw CommandError(
      .badData,
      "\(wrong) of \(NumberWords.counted(checked.count, "section file")) "
        + "\(wrong == 1 ? "is" : "are") wrong: correct the lines above.")
  }
}
