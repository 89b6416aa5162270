import Model
package import Reports

/// The object that `firetally overview --json` prints: docs/overview.md#json.
extension Overview: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let overview: JSONNode = .object([
      "message_type": "overview", "writtenAt": .instant(now), "isWell": .boolean(isWell),
      "summary": .text(summary),
      "workspaces": .list(zip(titles, workspaces).map { $1.json(titled: $0) }),
    ])
    try overview.encode(to: encoder)
  }
}

extension WorkspaceOverview {
  /// Members that nothing is known of are null.
  fileprivate func json(titled title: String) -> JSONNode {
    let worst = app?.findings.first?.json()
    return .object([
      "workspace": .text(folder), "title": .text(title), "app": .optional(app?.name),
      "problem": .optional(problem), "isWell": .boolean(isWell),
      "timeZone": .optional(app?.context.timeZone),
      "start": .optional(app?.context.start), "end": .optional(app?.context.end),
      "said": .texts(app?.said ?? []),
      "figures": .list(app?.figures.map { $0.json(withReport: true) } ?? []),
      "findings": app?.findingsJSON ?? .null, "worst": worst ?? .null,
      "jobs": app?.jobsJSON ?? .null, "newestDataAt": .optional(app?.newestDataAt),
      "lockHolder": .optional(app?.lockHolder),
    ])
  }
}

extension AppOverview {
  fileprivate var findingsJSON: JSONNode {
    .object(
      Dictionary(
        uniqueKeysWithValues: [Level.error, .warn, .notice].map {
          ($0.rawValue, .integer(findingCount($0)))
        }))
  }

  fileprivate var jobsJSON: JSONNode {
    .object([
      "inOrder": .integer(jobsInOrder.part), "of": .integer(jobsInOrder.whole),
      "summary": .text(health.summary), "newestRunAt": .optional(newestRunAt),
      "openIncidents": .integer(openIncidents),
    ])
  }
}

extension JSONNode {
  fileprivate static func optional(_ instant: Instant?) -> JSONNode {
    instant.map(JSONNode.instant) ?? .null
  }
}
