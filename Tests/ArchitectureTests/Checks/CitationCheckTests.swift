import Testing

struct CitationCheckTests {
  private let check = CitationCheck(pages: [
    "docs/rules.md": "# The rules\n\n## New-user grace\n### `limits` & more\n", "docs/a/b.md": "",
  ])

  @Test(arguments: [
    "/// docs/rules.md#new-user-grace", "// `docs/rules.md#the-rules`", "// docs/rules.md",
    "// docs/rules.md#limits--more", "// see docs/a/b.md.",
  ])
  func `a citation of a section that is there is fine`(text: String) {
    #expect(check.findings(in: text).isEmpty)
  }

  @Test func `a section or a page that is not there is found`() {
    #expect(
      check.findings(in: "// docs/rules.md#gone\n/// docs/none.md#x") == [
        "Sources/Model/A.swift:1: docs/rules.md has no section #gone",
        "Sources/Model/A.swift:2: there is no page docs/none.md",
      ])
  }
}
