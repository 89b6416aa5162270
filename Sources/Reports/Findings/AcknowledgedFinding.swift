package import Model

/// A finding that is still open and was acknowledged: docs/findings.md#acknowledge.
package struct AcknowledgedFinding: Hashable, Sendable {
  package let finding: Finding
  package let acknowledgement: Acknowledgement

  /// `until 1 Dec 2026`, `until it is over`.
  package var end: String {
    guard let until = acknowledgement.until else { return "until it is over" }
    return "until \(CivilDay(iso8601: until)?.plain ?? until)"
  }

  /// As findings are ordered.
  static func worstFirst(_ all: [AcknowledgedFinding]) -> [AcknowledgedFinding] {
    Finding.worstFirst(all.map(\.finding)).compactMap { finding in
      all.first { $0.finding == finding }
    }
  }

  /// One line about all of them, or nil of none.
  static func line(_ all: [AcknowledgedFinding]) -> String? {
    guard let first = all.first else { return nil }
    let many = all.map { "\($0.finding.id) \($0.end)" }.joined(separator: ", ")
    return all.count == 1
      ? "1 acknowledged \(first.end): \(first.finding.id)." : "\(all.count) acknowledged: \(many)."
  }
}

extension ReportContext {
  /// Parts findings into those that need a person and those that are acknowledged, each in order.
  func parted(_ findings: [Finding]) -> (open: [Finding], acknowledged: [AcknowledgedFinding]) {
    let byId = Dictionary(acknowledged.map { ($0.id, $0) }) { first, _ in first }
    let quiet = findings.compactMap { finding in
      byId[finding.id].map { AcknowledgedFinding(finding: finding, acknowledgement: $0) }
    }
    return (findings.filter { byId[$0.id] == nil }, quiet)
  }
}
