import Testing

@testable import Workspace

struct ConfigurationProblemTests {
  private func problem(
    _ file: String = "a.yml", line: Int = 1, column: Int? = nil, key: String = ""
  ) -> ConfigurationProblem {
    ConfigurationProblem(file: file, line: line, column: column, keyPath: key, message: "is odd")
  }

  @Test func `a problem reads as file, line, column, key and message`() {
    #expect(
      problem(line: 3, column: 7, key: "app.name").description == "a.yml:3:7: app.name: is odd")
  }

  @Test func `column and key are left out when there are none`() {
    #expect(problem(line: 3).description == "a.yml:3: is odd")
  }

  @Test func `an error lists its problems by file, line and column`() {
    let error = ConfigurationError([
      problem("b.yml"), problem(line: 10), problem(line: 2, column: 5), problem(line: 2, column: 1),
    ])
    #expect(
      error.description == """
        a.yml:2:1: is odd
        a.yml:2:5: is odd
        a.yml:10: is odd
        b.yml:1: is odd
        """)
  }
}
