import Testing

@testable import Model

@Suite struct QueryProblemTests {
  @Test(
    arguments: [
      ("", 0, 1, 1, ""), ("ab", 0, 1, 1, "ab"), ("ab", 2, 1, 3, "ab"), ("ab", 9, 1, 3, "ab"),
      ("ab", -1, 1, 1, "ab"), ("a\nb", 1, 1, 2, "a"), ("a\nb", 2, 2, 1, "b"),
      ("a\r\nb\r\n", 3, 2, 1, "b"), ("a\n", 2, 2, 1, ""), ("ü é\nx", 3, 1, 3, "ü é"),
      ("👍🏽 x", 9, 1, 3, "👍🏽 x"), ("\n\n\n", 2, 3, 1, ""),
    ])
  func `a byte's place is its line and its character, both from 1`(
    text: String, byte: Int, line: Int, column: Int, shown: String
  ) {
    let place = QueryPlace(byte: byte, in: text)
    #expect(place.line == line)
    #expect(place.column == column)
    #expect(place.text == shown)
  }

  @Test func `a problem without an offset has no place`() {
    #expect(QueryProblem(.noStatement).place(in: "a") == nil)
    #expect(QueryProblem(.writes, at: 0).place(in: "a")?.line == 1)
  }

  @Test(
    arguments: [
      (.tooLong(seconds: 10), "than 10 s "), (.tooLong(seconds: 0.5), "than 0.5 s "),
      (.tooManyRows(7), "than 7 rows"), (.wrong("no such table: x"), ": no such table: x."),
      (
        .unknownParameter(name: ":x", known: [":end", ":now"]),
        ":x has no value. There are :end, :now."
      ),
      (.unknownParameter(name: "?", known: []), "? has no value. Write the value into the query."),
    ] as [(QueryProblem.Reason, String)])
  func `a problem says what, by how much, and what there is`(
    reason: QueryProblem.Reason, part: String
  ) {
    #expect("\(QueryProblem(reason))".contains(part), "\(QueryProblem(reason))")
  }
}
