import Model
package import Reports

/// What is open now, or was on the morning after a past day, and why: docs/findings.md#list.
package struct FindingList: Sendable {
  let context: ReportContext
  /// The past day that is judged, as `2026-11-20`; nil for now.
  let day: String?
  /// Worst first.
  package let findings: [Finding]
  /// What is open and was acknowledged, worst first.
  package let acknowledged: [AcknowledgedFinding]
  /// How many there are, and what nobody can judge.
  private let lead: String

  /// A past day only has findings of rules: jobs, settings and queries of the owner speak about
  /// now.
  package init(of index: Report, on day: String? = nil) {
    context = index.context
    self.day = day
    findings = index.attention.filter { day == nil || $0.rule != nil }
    acknowledged = index.acknowledged.filter { day == nil || $0.finding.rule != nil }
    lead = IndexAttention.lead(findings, unjudged: index.unjudged)
  }

  /// Whether something broke or has to be looked at today.
  package var needsPerson: Bool { findings.contains { $0.level >= .warn } }

  /// The ids of all that is open, those that are acknowledged last.
  package var ids: [String] { findings.map(\.id) + acknowledged.map(\.finding.id) }

  /// The text, in lines of at most 80 columns, with a line end after the last.
  ///
  /// Acknowledged findings are shown in full with `all`, else in one line.
  package func text(all: Bool) -> String {
    let time = TimeWords(context: context)
    var sheet = TextSheet()
    let app = VisibleText.clipped(context.appName, to: 30)
    sheet.paragraph("\(app), \(time.dateAndTime(context.now)) (\(context.timeZone))")
    sheet.paragraph("Platform: \(context.platform.map(PlatformWords.title) ?? "all")")
    if let others = PlatformWords.others(context) { sheet.paragraph("Not counted: \(others)") }
    if let day { sheet.paragraph("As on the morning after \(Self.words(of: day)).") }
    sheet.paragraph(lead)
    for finding in findings {
      sheet.gap()
      write(finding, to: &sheet)
    }
    if all {
      for quiet in acknowledged {
        sheet.gap()
        write(quiet.finding, to: &sheet, end: quiet.end)
      }
      writeSettings(to: &sheet)
    } else if let line = AcknowledgedFinding.line(acknowledged) {
      sheet.gap()
      sheet.paragraph(line)
    }
    return sheet.lines.joined(separator: "\n") + "\n"
  }

  /// One finding with all shares that were judged for it, and the findings that it explains; nil
  /// when nothing of the id is open.
  package func explanation(of id: String) -> FindingExplanation? {
    (findings + acknowledged.map(\.finding)).first { $0.id == id }.map { finding in
      var sheet = TextSheet()
      write(finding, to: &sheet)
      return FindingExplanation(finding: finding, text: sheet.lines.joined(separator: "\n"))
    }
  }

  private func write(_ finding: Finding, to sheet: inout TextSheet, end: String? = nil) {
    let words = VisibleText.line(finding.sentence)
    sheet.paragraph("\(finding.level.sign) \(finding.level.word): \(words)", hanging: 2)
    if let end { sheet.paragraph("Acknowledged \(end).", indent: 2) }
    if let since = finding.since {
      sheet.paragraph("Since: \(Self.words(of: since))", indent: 2, hanging: 4)
    }
    for line in finding.supportWords { sheet.paragraph(line, indent: 2, hanging: 4) }
    if let rule = finding.rule {
      let floor = context.findingSettings.floors[rule].map {
        ", floor \(NumberWords.decimal($0, places: $0 == $0.rounded() ? 0 : 2))"
      }
      sheet.paragraph("Rule: \(rule.rawValue)\(floor ?? "")", indent: 2)
    }
    sheet.paragraph("Id: \(finding.id)", indent: 2)
  }

  /// What `firetally.yml` says of findings; nothing without it.
  private func writeSettings(to sheet: inout TextSheet) {
    let settings = context.findingSettings
    let off = FindingRule.allCases.filter { !settings.isOn($0) }.map(\.rawValue)
    sheet.gap()
    if !off.isEmpty { sheet.paragraph("Off: \(off.joined(separator: ", "))") }
    for days in settings.quiet {
      let reason = days.reason.map { ": \(VisibleText.line($0))" } ?? ""
      let last = days.last == days.first ? "" : " to \(Self.words(of: days.last))"
      sheet.paragraph("Quiet: \(Self.words(of: days.first))\(last)\(reason)")
    }
  }

  /// `Fri 20 Nov 2026`.
  private static func words(of day: String) -> String { CivilDay(iso8601: day)?.long ?? day }
}

/// The object that `firetally findings --json` prints.
extension FindingList: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let list: JSONNode = .members([
      "message_type": "findings", "schemaVersion": .integer(ReportSchema.version),
      "app": .text(context.appName), "writtenAt": .instant(context.now),
      "timeZone": .text(context.timeZone), "platform": context.platformJSON,
      "day": day.map(JSONNode.text),
      "summary": .text(lead), "findings": .list(findings.map { $0.json() }),
      "acknowledged": .list(
        acknowledged.map { quiet in
          .members([
            "finding": quiet.finding.json(), "at": .instant(quiet.acknowledgement.at),
            "until": quiet.acknowledgement.until.map(JSONNode.text),
          ])
        }),
    ])
    try list.encode(to: encoder)
  }
}
