import Testing

@testable import Model

@Suite struct ParameterTextTests {
  private func read(_ text: String) -> [String: EventValue]? {
    var text = text
    return text.withUTF8 { ParameterText.parameters($0) }
  }

  @Test(
    arguments: [
      ("{}", [:]), (#"{"a":1}"#, ["a": .integer(1)]), (#"{"a":1.0}"#, ["a": .double(1)]),
      (#"{"a":-1e-300,"b":"x"}"#, ["a": .double(-1e-300), "b": .string("x")]),
      (#"{"":""}"#, ["": .string("")]), (#"{"a":",}"}"#, ["a": .string(",}")]),
      (#"{"a\"\\\u0001":"\u001f\u0000é"}"#, ["a\"\\\u{1}": .string("\u{1F}\u{0}é")]),
      (#"{"a":9223372036854775807}"#, ["a": .integer(.max)]),
    ] as [(String, [String: EventValue])])
  func `parameters come back with their values and types`(
    text: String, expected: [String: EventValue]
  ) {
    #expect(read(text) == expected)
  }

  @Test(arguments: [
    "", "{", "}", "[]", "null", #"{"a"}"#, #"{"a":}"#, #"{"a":x}"#, #"{"a":"x}"#, #"{"a":1,}"#,
    #"{"a":1}x"#, "{}}", #"{"a":"\"#, #"{a:1}"#, #"{"a":1 }"#, #"{"a":1"#,
  ])
  func `a text that the program never writes is none`(text: String) {
    #expect(read(text) == nil)
  }
}
