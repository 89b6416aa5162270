import Testing

struct ProseCheckTests {
  private func found(_ text: String) -> [String] {
    ProseCheck.findings(inMarkdown: text, at: "docs/a.md").map(\.description)
  }

  @Test(arguments: [
    "Of whom no event has a type is not counted.", "A list, of which two are shown.",
    "Who pays and does not come back is not seen.", "Whose events contradict it.",
    "It replaces files that are there.", "A sheet that is not there ends the job.",
    "No report or status tells of it.", "The database of before is kept.",
    "They are in no number.", "It is not expected any more.", "It fetches the data anew.",
    "The price is performed by whoever was allowed.", "A zero-width space is none.",
    "A value that is no map is left out.", "What the query gives, which stands below its table.",
    "How long they stood open.", "The finding is told again.", "Nothing is said about it.",
    "Everything but for the first.", "The last backup of so many days stays.",
    "Installed are also the manual pages.", "Beside it stands no percentage.",
    "It gets neither.", "Removes it for good.", "It says what becomes of a start.",
    "From X, which was not asked.", "It keeps what is there.", "India has all but stopped.",
    "What it calls the future is removed: what it calls wrong.",
  ])
  func `a phrase that sounds translated is found`(text: String) {
    #expect(found(text).count == 1, "\(found(text))")
  }

  @Test(arguments: [
    "There is none, so nothing is read.", "Who is online? Who pays?", "It is no longer there.",
    "`{job}` stands for the job's name.", "Two changes cannot be told apart.",
    "The document's id stands in for a missing one.", "It is none of these.",
    "The job `is not there` is code.", "```\nthat is there\n```", "Neither is counted.",
  ])
  func `plain sentences are not`(text: String) {
    #expect(found(text).isEmpty, "\(found(text))")
  }

  @Test func `a phrase over the end of a line is found, with the paragraph's line`() {
    #expect(
      found(
        """
        # A

        It replaces files that
        are there.
        - It is told
          again.
        | a | told of it |
        """)
        == [
          "docs/a.md:3: 'that are there': say 'existing'",
          "docs/a.md:5: 'is told': say who gets a message, or 'is listed'",
          "docs/a.md:7: 'told of': say 'names', 'is about'",
        ])
  }

  @Test func `texts of the sources are read over their line breaks, comments and code are not`() {
    let text = #"""
      // A file that is there.
      let anew = "Files that "
        + "are there (\(told("of it")))."
      let b = """
        A finding is \
        told again.
        """
      """#
    #expect(
      ProseCheck().findings(in: text) == [
        "Sources/Model/A.swift:2: 'that are there': say 'existing'",
        "Sources/Model/A.swift:4: 'is told': say who gets a message, or 'is listed'",
      ])
    #expect(ProseCheck().findings(in: text, at: "Sources/Emulator/A.swift").isEmpty)
  }
}
