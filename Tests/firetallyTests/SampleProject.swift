import Firestore
import Fixtures
import Model

/// A project of twelve collections with every kind of value that Firestore has.
enum SampleProject {
  /// The documents by their paths; `count` of most collections, at least 4.
  static func documents(_ count: Int) -> [String: [String: Value]] {
    var documents: [String: [String: Value]] = [:]
    for number in 0..<count {
      let id = String(100 + number)
      documents["Users/u\(id)"] = user(number)
      documents["Orders/o\(id)"] = order(number)
      documents["Chats/c\(id)/Messages/m"] = ["text": .string("hi \(number)"), "n": .null]
      documents["Chats/c\(id)/Messages/m/Reactions/r"] = ["emoji": .string("👩‍👩‍👧")]
      documents["Odd name é!/d \(id)"] = odd(number)
      documents["Mixed/x\(id)"] = ["value": mixed[number % mixed.count]]
      documents["Numbers/n\(id)"] = numbers(number)
      documents["Places/p\(id)"] = place(number)
      documents["Users/u\(id)/Notes/n"] = ["text": .string("of a user")]
      documents["Orders/o\(id)/Notes/n"] = ["text": .string("of an order"), "more": .boolean(true)]
      documents["Scores/s\(id)"] = scores(number)
      documents["Deep/d\(id)"] = ["a": .map(["b": .map(["c": .map(["d": .integer(1)])])])]
    }
    for number in 0..<2 {
      documents["Blobs/b\(number)"] = [
        "text": .string(String(repeating: "é", count: 520_000)), "bytes": .bytes([0, 255, 10]),
      ]
    }
    return documents
  }

  private static func user(_ number: Int) -> [String: Value] {
    var fields: [String: Value] = [
      "name": .string("Name \"\(number)\"\u{2028}"), "isNew": .boolean(number % 2 == 0),
      "address": .map(["city": .string("Köln"), "geo": .map(["zip": .string("0\(number)")])]),
      "friend": .reference(
        "projects/PROJECT/databases/(default)/documents/Users/u\(100 + number / 2)"),
    ]
    // Null beside missing.
    if number % 3 > 0 { fields["nick"] = number % 3 == 1 ? .null : .string("nick") }
    return fields
  }

  private static func order(_ number: Int) -> [String: Value] {
    let items = (0..<number % 4).map { index in
      Value.map(["sku": .string("a\(index)"), "qty": .integer(Int64(index))])
    }
    let tags: [Value] = [.string("x"), .string("y")]
    return [
      "items": .array(items), "tags": .array(Array(tags.prefix(2 - number % 3))),
      "empty": .array([]), "total": .double(Double(number) + 0.5),
      "placed": .timestamp(
        Timestamp(microseconds: Instant.morning.microseconds + Int64(number) * 1_000_001)),
    ]
  }

  private static func odd(_ number: Int) -> [String: Value] {
    [
      "with space": .integer(Int64(number)), "a.b`c\\d": .string("dots"), "select": .boolean(true),
      "ÄÖ": .string("umlaut"), "1st": .integer(1), "document_path": .string("mine"),
      "Case": .integer(1), "case": .integer(2),
    ]
  }

  private static let mixed: [Value] = [
    .string("text"), .integer(1), .double(.nan), .null, .boolean(true), .array([]), .map([:]),
    .bytes([1, 2, 3]), .geoPoint(latitude: 1, longitude: -2),
    .timestamp(Timestamp(microseconds: 1)), .double(-.infinity), .double(-0.0),
  ]

  private static func numbers(_ number: Int) -> [String: Value] {
    [
      "big": .integer(number % 2 == 0 ? .max : .min), "whole": .integer(Int64(number)),
      "both": number % 2 == 0 ? .integer(3) : .double(2.5),
      "odd": .double([.nan, .infinity, -0.0, .leastNonzeroMagnitude][number % 4]),
    ]
  }

  private static func place(_ number: Int) -> [String: Value] {
    [
      "at": .geoPoint(latitude: Double(number), longitude: -179.5), "photo": .bytes([0, 1, 254]),
      "vector": .map([
        "__type__": .string("__vector__"), "value": .array([.double(0.25), .double(-1)]),
      ]),
    ]
  }

  private static func scores(_ number: Int) -> [String: Value] {
    let points = (0..<30).map { ("player\(number)-\($0)", Value.integer(Int64($0))) }
    return ["points": .map(Dictionary(points) { first, _ in first })]
  }
}
