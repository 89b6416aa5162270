package import Model

/// Feedback as CSV after RFC 4180, one entry a line; docs/rules.md#feedback.
package enum FeedbackCSV {
  package static let head: [UInt8] = line([
    "written_at", "stars", "text", "user_id", "gender", "country", "app_version", "state",
    "document",
  ])

  package static func line(of entry: RatingsFacts.FeedbackEntry) -> [UInt8] {
    let feedback = entry.feedback
    let fields: [Datum] = [
      .text(Instant(unixSeconds: feedback.timestamp).iso8601), .integer(feedback.stars),
      .text(feedback.text), .text(feedback.userId), .text(feedback.gender),
      .text(feedback.country), .text(feedback.appVersion), .text(entry.state.rawValue),
      .text(entry.remoteName ?? ""),
    ]
    return line(fields.map(CSVSheet.text))
  }

  private static func line(_ fields: [String]) -> [UInt8] {
    var sheet = CSVSheet()
    sheet.line(fields)
    return sheet.bytes
  }
}
