/// The JSON Schemas of the files in JSON: docs/reports/files.md#json-schema.
///
/// Objects of reports may have more members than their schema names; readers ignore those.
package enum ReportSchema {
  /// Raise it when a member goes, or means something else; not when one comes.
  package static let version = 1

  /// The text of `docs/report.schema.json`.
  package static var text: String {
    text(
      of: [
        "$schema": draft, "title": "A report of Firetally, or all of them in one file",
        "oneOf": .list([
          reference("report"),
          object(["schemaVersion": constant(version), "reports": list(reference("report"))]),
          reference("summary"),
        ]),
        "$defs": .object(definitions),
      ])
  }

  /// The text of `docs/findings.schema.json`: docs/findings.md#findingsjson.
  ///
  /// Its objects are closed: a member that it does not name is a fault of whoever wrote the file.
  package static var findingsText: String {
    let members: [String: JSONNode] = [
      "schemaVersion": constant(FindingsFile.currentSchema), "app": string, "writtenAt": time,
      "timeZone": string, "anonymous": boolean, "findings": list(reference("finding")),
    ]
    return text(
      of: parts(of: members, isClosed: true).merging([
        "$schema": draft, "title": "What needs a person: findings.json of Firetally",
        "$defs": .object(["finding": finding(isClosed: true)]),
      ]) { first, _ in first })
  }

  private static func text(of schema: [String: JSONNode]) -> String {
    JSONNode.object(schema).schemaText
  }

  private static var definitions: [String: JSONNode] {
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
          "trend": list(orNull("integer")), "query": string, "parameters": parameters,
        ]),
      "finding": finding(isClosed: false),
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

  private static var reportMembers: [String: JSONNode] {
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
  private static var summaryMembers: [String: JSONNode] {
    [
      "schemaVersion": constant(version), "message_type": .object(["const": "summary"]),
      "app": string, "writtenAt": time, "timeZone": string, "start": time, "end": time,
      "summary": string, "figures": list(reference("figure")),
      "findings": list(reference("finding")),
    ]
  }

  /// A plain value, or an object of named parts.
  private static var datum: JSONNode {
    .object([
      "type": .list(["string", "number", "boolean", "null", "array", "object"]),
      "items": .object(["type": .list(["string", "integer", "null"])]),
      "additionalProperties": .object(["type": .list(["string", "number", "boolean", "null"])]),
    ])
  }

  private static var table: JSONNode {
    object(
      [
        "id": id, "title": string,
        "columns": list(object(["id": pattern("^[a-z0-9_]+$"), "title": string])),
        "shown": integer, "total": integer,
        "rows": list(.object(["type": "object", "additionalProperties": reference("datum")])),
      ], optional: ["query": string, "parameters": parameters])
  }

  /// What the query was bound to, by name.
  private static var parameters: JSONNode {
    .object([
      "type": "object",
      "additionalProperties": .object(["type": .list(["string", "number", "null"])]),
    ])
  }

  /// The kind of a block decides its other members.
  private static var block: JSONNode {
    func kind(_ name: String, _ members: [String: JSONNode]) -> JSONNode {
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

  private static func finding(isClosed: Bool) -> JSONNode {
    let expected = object(
      ["low": number, "high": number], optional: ["days": integer], isClosed: isClosed)
    let evidence = object(
      [
        "label": string, "value": number,
        "unit": choice(Evidence.Unit.allCases.map(\.rawValue)),
      ], optional: ["expected": expected, "currency": string], isClosed: isClosed)
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

/// The words that the schemas are made of.
extension ReportSchema {
  private static let draft: JSONNode = "https://json-schema.org/draft/2020-12/schema"
  private static let string = type("string")
  private static let integer = type("integer")
  private static let number = type("number")
  private static let boolean = type("boolean")
  private static let time = JSONNode.object(["type": "string", "format": "date-time"])
  /// Ids stay from day to day.
  private static let id = pattern("^[a-z0-9]+(-[a-z0-9]+)*$")
  private static let name = choice(Report.Name.allCases.map(\.rawValue))

  private static func type(_ name: String) -> JSONNode { .object(["type": .text(name)]) }

  private static func pattern(_ pattern: String) -> JSONNode {
    .object(["type": "string", "pattern": .text(pattern)])
  }

  private static func orNull(_ name: String) -> JSONNode {
    .object(["type": .list([.text(name), "null"])])
  }

  private static func constant(_ number: Int) -> JSONNode { .object(["const": .integer(number)]) }

  private static func choice(_ words: [String]) -> JSONNode {
    .object(["enum": .list(words.map(JSONNode.text))])
  }

  private static func reference(_ name: String) -> JSONNode {
    .object(["$ref": .text("#/$defs/\(name)")])
  }

  private static func list(_ items: JSONNode) -> JSONNode {
    .object(["type": "array", "items": items])
  }

  /// An object that has all of these members, may have the optional ones, and no others when it is
  /// closed.
  private static func object(
    _ members: [String: JSONNode], optional: [String: JSONNode] = [:], isClosed: Bool = false
  ) -> JSONNode {
    .object(parts(of: members, optional: optional, isClosed: isClosed))
  }

  private static func parts(
    of members: [String: JSONNode], optional: [String: JSONNode] = [:], isClosed: Bool
  ) -> [String: JSONNode] {
    var parts: [String: JSONNode] = [
      "type": "object", "required": .list(members.keys.sorted().map(JSONNode.text)),
      "properties": .object(members.merging(optional) { first, _ in first }),
    ]
    if isClosed { parts["additionalProperties"] = .boolean(false) }
    return parts
  }
}
