import Firestore

/// The REST form of aggregations.
extension Aggregation {
  /// Reads a list of one to five; those without an alias are called `field_1` and so on.
  static func named(_ list: [JSON]) throws -> [(String, Aggregation)] {
    guard (1...5).contains(list.count) else {
      throw RefusedRequest.invalid("a query has between 1 and 5 aggregations")
    }
    let aggregations = try list.enumerated().map { position, json in
      let message = try Message(json, "alias", "count", "sum", "avg")
      let alias = try message.text("alias") ?? ""
      return (alias.isEmpty ? "field_\(position + 1)" : alias, try Aggregation(message))
    }
    guard Set(aggregations.map(\.0)).count == list.count else {
      throw RefusedRequest.invalid("two aggregations have the same alias")
    }
    return aggregations
  }

  private init(_ message: Message) throws {
    let kinds = ["count", "sum", "avg"].filter { message[$0] != nil }
    guard kinds.count == 1, let kind = kinds.first, let json = message[kind] else {
      throw RefusedRequest.invalid("an aggregation is one of count, sum and avg")
    }
    switch kind {
    case "count": self = .count(upTo: try Message(json, "upTo").count("upTo"))
    case "sum": self = .sum(try Aggregation.field(of: json))
    default: self = .average(try Aggregation.field(of: json))
    }
  }

  private static func field(of json: JSON) throws -> FieldPath {
    let reference = try Message(json, "field")["field"] ?? .object([:])
    guard let path = try Message(reference, "fieldPath").text("fieldPath") else {
      throw RefusedRequest.invalid("an aggregation over a field needs its fieldPath")
    }
    return try FieldPath(parsing: path)
  }
}
