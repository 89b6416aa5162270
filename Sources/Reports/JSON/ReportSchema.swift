/// The JSON Schema of the reports in JSON: docs/reports/files.md#json-schema.
///
/// Objects may have more members than it names; readers ignore those.
package enum ReportSchema: SchemaWords {
  /// Raise it when a member goes, or means something else; not when one comes.
  package static let version = 1

  /// The text of `docs/report.schema.json`.
  package static var text: String { whole.fileText }

  private static var whole: SchemaNode {
    .object([
      "$schema": draft,
      "title": .text("A report of Firetally, or all of them in one file"),
      "oneOf": .list([
        reference("report"),
        object(["schemaVersion": constant(version), "reports": list(reference("report"))]),
        reference("summary"),
      ]),
      "$defs": .object(definitions),
    ])
  }

  private static var definitions: [String: SchemaNode] {
    [
      "report": object(reportMembers), "summary": object(summaryMembers),
      "section": object([
        "id": id, "title": string, "lead": string, "blocks": list(reference("block")),
      ]),
      "block": block, "table": table, "datum": datum,
      "figure": object(
        ["id": id, "label": string, "value": reference("datum")],
        optional: [
          "share": reference("ratio"), "change": reference("change"), "note": string,
          "trend": list(orNull("integer")),
        ]),
      "finding": FindingsSchema.finding(isClosed: false),
      "ratio": object(["part": integer, "whole": integer, "percent": orNull("number")]),
      "change": object(["previous": integer, "difference": integer, "percent": orNull("number")]),
      "comment": object(
        [
          "at": time, "stars": integer, "text": string, "userId": string, "gender": string,
          "country": string, "appVersion": string, "themes": list(string),
        ],
        optional: [
          "title": string, "origin": string, "state": string, "id": string, "isOpen": boolean,
        ]),
    ]
  }

  private static var reportMembers: [String: SchemaNode] {
    [
      "schemaVersion": constant(version), "report": name, "title": string, "summary": string,
      "frame": object(
        [
          "app": string, "writtenAt": time, "timeZone": string, "start": time, "end": time,
          "anonymous": boolean,
        ], optional: ["profile": string, "previousStart": time, "previousEnd": time]),
      "dataTime": object(["label": string], optional: ["at": time]),
      "figures": list(reference("figure")), "findings": list(reference("finding")),
      "sections": list(reference("section")),
    ]
  }

  /// What `firetally report --summary --json` prints.
  private static var summaryMembers: [String: SchemaNode] {
    [
      "schemaVersion": constant(version), "message_type": .object(["const": .text("summary")]),
      "app": string, "writtenAt": time, "timeZone": string, "start": time, "end": time,
      "summary": string, "figures": list(reference("figure")),
      "findings": list(reference("finding")),
    ]
  }
}

/// The parts of a report.
extension ReportSchema {
  /// A plain value, or an object of named parts.
  private static var datum: SchemaNode {
    .object([
      "type": .list(
        ["string", "number", "boolean", "null", "array", "object"].map(SchemaNode.text)),
      "items": orNull("integer"),
      "additionalProperties": .object([
        "type": .list(["string", "number", "boolean", "null"].map(SchemaNode.text))
      ]),
    ])
  }

  private static var table: SchemaNode {
    let column = object([
      "id": pattern("^[a-z0-9_]+$"), "title": string,
    ])
    return object([
      "id": id, "title": string, "columns": list(column), "shown": integer, "total": integer,
      "rows": list(
        .object(["type": .text("object"), "additionalProperties": reference("datum")])),
    ])
  }

  /// The kind of a block decides its other members.
  private static var block: SchemaNode {
    func kind(_ name: String, _ members: [String: SchemaNode]) -> SchemaNode {
      object(members.merging(["kind": .object(["const": .text(name)])]) { first, _ in first })
    }
    let definition = object(["term": string, "meaning": string])
    let link = object(
      ["report": name, "title": string, "summary": string], optional: ["dataAt": time])
    return .object([
      "oneOf": .list([
        kind("text", ["text": string]), kind("figures", ["figures": list(reference("figure"))]),
        kind("table", ["table": reference("table")]),
        kind(
          "chart",
          [
            "form": string, "unit": string, "alternative": string, "table": reference("table"),
            "marks": list(object(["day": string, "words": string])),
          ]),
        kind("definitions", ["definitions": list(definition)]),
        kind("findings", ["findings": list(reference("finding"))]),
        kind("feedback", ["entries": list(reference("comment"))]),
        kind("popups", ["id": id, "title": string, "popups": list(type("object"))]),
        kind("contents", ["reports": list(link)]),
      ])
    ])
  }
}
