import Foundation

/// The JSON Schema of the reports in JSON: docs/reports/files.md#json-schema.
///
/// Objects may have more members than it names; readers ignore those.
package enum ReportSchema {
  /// Raise it when a member goes, or means something else; not when one comes.
  package static let version = 1

  /// The text of `docs/report.schema.json`.
  package static var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(whole), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("a schema is always encodable: \(error)")
    }
  }

  /// A value of the schema itself.
  fileprivate indirect enum Node: Encodable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case list([Node])
    case object([String: Node])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .integer(let number): try container.encode(number)
      case .boolean(let flag): try container.encode(flag)
      case .list(let nodes): try container.encode(nodes)
      case .object(let members): try container.encode(members)
      }
    }
  }

  private static var whole: Node {
    .object([
      "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
      "title": .text("A report of Firetally, or all of them in one file"),
      "oneOf": .list([
        reference("report"),
        object(["schemaVersion": versionNode, "reports": list(reference("report"))]),
        reference("summary"),
      ]),
      "$defs": .object(definitions),
    ])
  }

  private static let versionNode = Node.object(["const": .integer(version)])

  private static var definitions: [String: Node] {
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
          "trend": list(integer),
        ]),
      "finding": object([
        "level": choice(Level.allCases.map(\.rawValue)), "sentence": string, "report": name,
        "section": id,
      ]),
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

  private static var reportMembers: [String: Node] {
    [
      "schemaVersion": versionNode, "report": name, "title": string, "summary": string,
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
  private static var summaryMembers: [String: Node] {
    [
      "schemaVersion": versionNode, "message_type": .object(["const": .text("summary")]),
      "app": string, "writtenAt": time, "timeZone": string, "start": time, "end": time,
      "summary": string, "figures": list(reference("figure")),
      "findings": list(reference("finding")),
    ]
  }
}

/// The parts of a schema.
extension ReportSchema {
  private static let string = type("string")
  private static let integer = type("integer")
  private static let boolean = type("boolean")
  private static let time = Node.object(["type": .text("string"), "format": .text("date-time")])
  /// Ids stay from day to day.
  private static let id = Node.object([
    "type": .text("string"), "pattern": .text("^[a-z0-9]+(-[a-z0-9]+)*$"),
  ])
  private static let name = choice(Report.Name.allCases.map(\.rawValue))

  private static func type(_ name: String) -> Node { .object(["type": .text(name)]) }

  private static func orNull(_ name: String) -> Node {
    .object(["type": .list([.text(name), .text("null")])])
  }

  private static func choice(_ words: [String]) -> Node {
    .object(["enum": .list(words.map(Node.text))])
  }

  private static func reference(_ name: String) -> Node {
    .object(["$ref": .text("#/$defs/\(name)")])
  }

  private static func list(_ items: Node) -> Node {
    .object(["type": .text("array"), "items": items])
  }

  /// An object that has all of these members, and may have the optional ones.
  private static func object(
    _ members: [String: Node], optional: [String: Node] = [:]
  ) -> Node {
    .object([
      "type": .text("object"), "required": .list(members.keys.sorted().map(Node.text)),
      "properties": .object(members.merging(optional) { first, _ in first }),
    ])
  }

  /// A plain value, or an object of named parts.
  private static var datum: Node {
    .object([
      "type": .list(
        ["string", "number", "boolean", "null", "array", "object"].map(Node.text)),
      "items": integer,
      "additionalProperties": .object([
        "type": .list(["string", "number", "boolean", "null"].map(Node.text))
      ]),
    ])
  }

  private static var table: Node {
    let column = object([
      "id": .object(["type": .text("string"), "pattern": .text("^[a-z0-9_]+$")]), "title": string,
    ])
    return object([
      "id": id, "title": string, "columns": list(column), "shown": integer, "total": integer,
      "rows": list(
        .object(["type": .text("object"), "additionalProperties": reference("datum")])),
    ])
  }

  /// The kind of a block decides its other members.
  private static var block: Node {
    func kind(_ name: String, _ members: [String: Node]) -> Node {
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
