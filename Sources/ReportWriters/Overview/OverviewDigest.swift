import Model
package import Reports

/// The overview as a text for a message: at most 30 lines of at most 80 columns:
/// docs/overview.md#in-a-message.
package struct OverviewDigest {
  private let overview: Overview
  private let words: CellWords

  package init(_ overview: Overview) {
    self.overview = overview
    words = CellWords(time: TimeWords(timeZone: overview.timeZone, now: overview.now))
  }

  /// With a line end after the last line; workspaces in their order, the last ones only counted
  /// where not all have room.
  package var text: String {
    var sheet = TextSheet()
    sheet.paragraph("\(words.time.dateAndTime(overview.now)) (\(overview.timeZone))")
    sheet.paragraph(overview.summary)
    let parts = zip(overview.titles, overview.workspaces).map { lines($0, $1) }
    var room = ReportSummary.mostLines - sheet.lines.count
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard part.count + 1 + (isLast ? 0 : 1) <= room else {
        let more = NumberWords.counted(parts.count - index, "more workspace")
        sheet.line("\(more): firetally overview")
        break
      }
      sheet.gap()
      part.forEach { sheet.line($0) }
      room -= part.count + 1
    }
    return sheet.lines.joined(separator: "\n") + "\n"
  }

  /// A workspace: its name with its worst finding, and its figures.
  private func lines(_ title: String, _ workspace: WorkspaceOverview) -> [String] {
    var sheet = TextSheet()
    let name = VisibleText.clipped(title, to: Self.longestTitle)
    switch workspace.content {
    case .unread(let reason):
      let level = Level.error
      sheet.paragraph("\(level.sign) \(name) cannot be read: \(clipped(reason))", hanging: 2)
    case .app(let app):
      let worst = app.findings.first
      let level = worst?.level ?? app.jobsLevel
      let said = worst.map { clipped($0.sentence) } ?? app.health.summary
      sheet.paragraph("\(level.sign) \(name): \(said)", hanging: 2)
      sheet.paragraph(figures(of: app).joined(separator: "; "), indent: 2)
    }
    return sheet.lines
  }

  private func figures(of app: AppOverview) -> [String] {
    func figure(_ name: AppOverview.FigureName, _ noun: String) -> String? {
      let cell = app.cell(name)
      return cell == .missing ? nil : "\(words.words(cell)) \(noun)"
    }
    let data = app.newestDataAt.map {
      let age = max(0, (overview.now - $0).fractionalSeconds)
      return "data \(NumberWords.roughly(seconds: age)) old"
    }
    let jobs = app.jobsInOrder
    let incidents = app.openIncidents
    return [
      figure(.monthly, "a month"), figure(.newSubscribers, "new subscribers"),
      figure(.active, "people active"),
      "\(NumberWords.grouped(jobs.part)) of \(NumberWords.counted(jobs.whole, "job")) in order",
      incidents > 0 ? NumberWords.counted(incidents, "open incident") : nil,
      data ?? "no data yet", figure(.cost, "for reads"),
      app.lockHolder == nil ? nil : "locked",
    ].compactMap(\.self)
  }

  private func clipped(_ text: String) -> String {
    VisibleText.clipped(VisibleText.line(text), to: Self.longestSentence)
  }

  private static let longestTitle = 60
  /// Characters of a sentence, as in the summary of one workspace.
  private static let longestSentence = 150
}
