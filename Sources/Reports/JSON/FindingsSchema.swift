/// The JSON Schema of `findings.json`: docs/findings.md#findingsjson.
///
/// Its objects are closed: a member that it does not name is a fault of whoever wrote the file.
package enum FindingsSchema: SchemaWords {
  /// The text of `docs/findings.schema.json`.
  package static var text: String {
    let members: [String: SchemaNode] = [
      "schemaVersion": constant(FindingsFile.currentSchema), "app": string, "writtenAt": time,
      "timeZone": string, "anonymous": boolean, "findings": list(reference("finding")),
    ]
    guard case .object(var whole) = object(members, isClosed: true) else { return "" }
    whole["$schema"] = draft
    whole["title"] = .text("What needs a person: findings.json of Firetally")
    whole["$defs"] = .object(["finding": finding(isClosed: true)])
    return SchemaNode.object(whole).fileText
  }

  /// A finding here, and, when it is open, in the reports.
  static func finding(isClosed: Bool) -> SchemaNode {
    let expected = object(
      ["low": number, "high": number], optional: ["days": integer], isClosed: isClosed)
    let evidence = object(
      [
        "label": string, "value": number,
        "unit": choice(Evidence.Unit.allCases.map(\.rawValue)),
      ], optional: ["expected": expected], isClosed: isClosed)
    return object(
      [
        "id": id, "level": choice([Level.notice, .warn, .error].map(\.rawValue)),
        "sentence": string, "report": name, "section": id, "evidence": list(evidence),
        "quotes": list(string),
      ],
      optional: ["advice": string, "link": pattern("^[a-z]+\\.html#[a-z0-9-]+$")],
      isClosed: isClosed)
  }
}
