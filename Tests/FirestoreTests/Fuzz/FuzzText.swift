import Fixtures

/// Writes pages of a query as Firestore might, and texts that only look like one.
struct FuzzText {
  /// The fields that a fuzzed scan wants; pages name them often.
  static let wanted = ["a", "b", "名", "quote\"d", "", "a"]

  private(set) var bytes: [UInt8] = []
  private var random: SeededGenerator
  /// A token in so many has white space before it.
  private var blankOdds = 12

  init(random: SeededGenerator) { self.random = random }

  /// An answer with up to three documents, spaced and escaped at random.
  static func page(using random: inout SeededGenerator) -> [UInt8] {
    var text = FuzzText(random: random)
    text.list("[", "]", count: 1...4) { $0.element() }
    random = text.random
    return text.bytes
  }

  /// An answer of documents that mostly have the same fields of the same kinds in the same order.
  static func uniformPage(using random: inout SeededGenerator) -> [UInt8] {
    var text = FuzzText(random: random)
    text.blankOdds = 200
    let names = (0..<Int.random(in: 1...5, using: &text.random)).map { _ in
      text.chance(6) ? text.word() : text.pick(FuzzText.wanted)
    }
    let kinds = names.map { _ in Int.random(in: 0..<9, using: &text.random) }
    text.list("[", "]", count: 2...6) { $0.uniformElement(names, kinds) }
    random = text.random
    return text.bytes
  }

  /// Tokens of JSON in no order.
  static func soup(using random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...10, using: &random)).flatMap { _ in
      pick(tokens, using: &random)
    }
  }

  /// One value of any kind, in no envelope.
  static func value(using random: inout SeededGenerator) -> [UInt8] {
    var text = FuzzText(random: random)
    text.json(depth: 3)
    random = text.random
    return text.bytes
  }

  /// What hostile servers send, and what careless parsers take.
  static let tokens: [[UInt8]] =
    [
      "[", "]", "{", "}", ",", ":", "\"", "\\", "\"a\"", "\"\"", "null", "true", "false", "nul",
      "0",
      "-0", "01", "1.", ".5", "-", "+1", "1e", "1e5", "1E+5", "1e999", "-1e-999", "NaN", "Infinity",
      "9223372036854775808", "123456789012345678901234567890", "\\ud800", "\\udc00",
      "\\ud83e\\udd29",
      "\\u0000", "\\u12", "\\x", "\\/", "\"\\ud800\\u0041\"", " ", "\n", "\r", "\t", "\u{B}",
      "\u{A0}",
      "\u{FEFF}", "\u{0}", "\u{1F}", "\u{7F}", "é", "名", "🤩", "{\"a\":1,\"a\":2}", "[1,]",
      "{\"a\":1,}",
      "{\"\":{}}", "//x", "/**/", "'a'", "[[[[", "]]]]", "\"stringValue\":", "\"integerValue\":\"",
      "\"doubleValue\":", "\"document\":", "\"error\":{}", "\"name\":\"n\"", "\"fields\":{",
    ].map { Array($0.utf8) }
    + [
      [0xFF], [0x80], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xEF, 0xBB, 0xBF],
    ]

  private static func pick<T>(_ choices: [T], using random: inout SeededGenerator) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func pick<T>(_ choices: [T]) -> T { FuzzText.pick(choices, using: &random) }

  private mutating func element() {
    object([
      (9, "document", { $0.document() }), (8, "readTime", { $0.string($0.time()) }),
      (1, "skippedResults", { $0.raw("3") }), (2, "later", { $0.json(depth: 2) }),
    ])
  }

  private mutating func uniformElement(_ names: [String], _ kinds: [Int]) {
    raw("{")
    key("document")
    raw("{")
    key("name")
    string("C/1")
    raw(",")
    key("fields")
    raw("{")
    var isFirst = true
    var fields = Array(zip(names, kinds))
    if chance(6) { fields.reverse() }
    for (name, kind) in fields where !chance(8) {
      if !isFirst { raw(",") }
      isFirst = false
      key(name)
      if chance(30) { json(depth: 1) } else { firestoreValue(depth: 2, chance(8) ? nil : kind) }
    }
    raw("}}}")
  }

  private mutating func document() {
    if chance(20) { return raw("null") }
    raw("{")
    key("name")
    string("C/" + word() + "1")
    let parts: [Member] = [
      (8, "fields", { $0.fields() }), (6, "updateTime", { $0.string($0.time()) }),
      (3, "createTime", { $0.json(depth: 1) }),
    ]
    for (weight, name, write) in parts where Int.random(in: 0..<10, using: &random) < weight {
      raw(",")
      key(name)
      write(&self)
    }
    raw("}")
  }

  private mutating func fields() {
    if chance(20) { return raw("null") }
    list("{", "}", count: 0...4) { text in
      text.key(text.chance(3) ? text.word() : text.pick(FuzzText.wanted))
      if text.chance(20) { text.json(depth: 1) } else { text.firestoreValue(depth: 2) }
    }
  }

  private mutating func firestoreValue(depth: Int, _ kind: Int? = nil) {
    raw("{")
    switch kind ?? Int.random(in: 0..<(depth > 0 ? 11 : 9), using: &random) {
    case 0: member("nullValue", from: ["null", "\"NULL_VALUE\"", "0", "1", "\"\""])
    case 1: member("booleanValue", from: ["true", "false", "1", "\"true\""])
    case 2, 3: member("integerValue", from: FuzzText.integers)
    case 4: member("doubleValue", from: FuzzText.doubles)
    case 5:
      key("timestampValue")
      string(time())
    case 6, 7:
      key("stringValue")
      string(word() + word())
    case 8:
      key(pick(["bytesValue", "referenceValue", "futureValue"]))
      json(depth: 1)
    case 9:
      key("arrayValue")
      object([
        (8, "values", { $0.list("[", "]", count: 0...2) { $0.firestoreValue(depth: depth - 1) } })
      ])
    default:
      key("mapValue")
      object([(8, "fields", { $0.fields() })])
    }
    if chance(60) {
      raw(",")
      member(pick(["stringValue", "integerValue", "futureValue"]), from: ["\"7\"", "null"])
    }
    raw("}")
  }

  private static let integers = [
    "\"42\"", "\"-9223372036854775808\"", "\"9223372036854775807\"", "\"9223372036854775808\"", "7",
    "-0", "1.0", "1e2", "\"1.50e1\"", "\"x\"", "\"\"", "\"-\"", "\"\\u0037\"", "\"007\"", "1.5",
    "[1]",
    "9223372036854775807", "18446744073709551616", "\"+1\"", "\" 1\"", "true", "null",
  ]
  private static let doubles = [
    "1.5", "-0", "0.1", "1e300", "-1.5e-3", "\"NaN\"", "\"-Infinity\"", "\"Infinity\"", "\"nan\"",
    "\"1.5\"",
    "\"1e2\"", "5e-324", "1.7976931348623157e+308", "true", "\"0x1\"", "\"\\u00311\"", "3", "null",
    "{}",
  ]

  /// One that Firestore might send, but for one in thirty.
  private mutating func time() -> String {
    guard !chance(30) else { return pick(["2026-02-29T00:00:00Z", "2026-01-31", "", "soon"]) }
    return pick([
      "2026-01-31T08:00:00Z", "2026-01-31T08:00:00.000001Z", "1969-12-31T23:59:59.9Z",
      "2026-01-31T08:00:00.123456789+02:00", "2024-02-29T00:00:00Z", "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59Z",
    ])
  }

  private typealias Member = (weight: Int, name: String, write: (inout FuzzText) -> Void)

  private mutating func json(depth: Int) {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: raw(pick(["null", "true", "false"]))
    case 1, 2:
      raw(
        pick(["0", "-1", "1.5", "1e9", "-0.25E-3", "12345678901", "-0.0"]))
    case 3, 4: string(word())
    case 5: list("[", "]", count: 0...3) { $0.json(depth: depth - 1) }
    default:
      list("{", "}", count: 0...3) { text in
        text.key(text.word())
        text.json(depth: depth - 1)
      }
    }
  }

  /// An object with each member as often as its weight of ten says.
  private mutating func object(_ members: [Member]) {
    let chosen = members.filter { Int.random(in: 0..<10, using: &random) < $0.weight }
    raw("{")
    for (position, member) in chosen.enumerated() {
      if position > 0 { raw(",") }
      key(member.name)
      member.write(&self)
    }
    raw("}")
  }

  private mutating func list(
    _ open: String, _ close: String, count: ClosedRange<Int>, each: (inout FuzzText) -> Void
  ) {
    raw(open)
    for position in 0..<Int.random(in: count, using: &random) {
      if position > 0 { raw(",") }
      each(&self)
    }
    raw(close)
  }

  private mutating func member(_ name: String, from contents: [String]) {
    key(name)
    raw(pick(contents))
  }

  private mutating func key(_ name: String) {
    string(name)
    raw(":")
  }

  /// Writes a token, at times with white space around it.
  private mutating func raw(_ token: String) {
    if chance(blankOdds) { bytes.append(pick([0x20, 0x0A, 0x0D, 0x09])) }
    bytes.append(contentsOf: token.utf8)
  }

  private mutating func string(_ text: String) {
    raw("\"")
    let escapesAll = chance(12)
    for unit in text.utf16 where escapesAll || unit < 0x20 || unit == 0x22 || unit == 0x5C {
      return escaped(text, all: escapesAll)
    }
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escaped(_ text: String, all: Bool) {
    for scalar in text.unicodeScalars {
      guard all || scalar.value < 0x20 || scalar == "\"" || scalar == "\\" else {
        bytes.append(contentsOf: String(scalar).utf8)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        bytes.append(
          contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func word() -> String {
    pick([
      "", "a", "word", "two words", "é", "名", "🤩", "\"", "\\", "\n", "\u{0}", "/",
      "longer than eight",
    ])
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
}
