import Testing

struct FileNameCheckTests {
  @Test(arguments: [
    ("A.swift", "struct A {}"), ("A.swift", "struct B {}\nenum A {}"),
    ("A.swift", "extension A {}"), ("A+Text.swift", "extension A {}"),
    ("A+Text.swift", "extension A.B {}"), ("A.swift", "let number = 1"),
    ("A.swift", "struct B { struct A {} }"),
  ])
  func `a file with the name of one of its types is fine`(name: String, text: String) {
    #expect(FileNameCheck().findings(in: text, at: "Sources/Model/\(name)").isEmpty)
  }

  @Test(arguments: [
    ("As.swift", "struct A {}"), ("A.swift", "// struct A\nstruct B {}"),
    ("Text+A.swift", "extension A {}"), ("A.swift", "let text = \"struct A {}\"\nenum B {}"),
  ])
  func `a file with another name is found`(name: String, text: String) {
    #expect(FileNameCheck().findings(in: text, at: "Sources/Model/\(name)").count == 1)
  }

  @Test func `the finding names the types, each once`() {
    #expect(
      FileNameCheck().findings(
        in: "struct A {}\nextension A {}\nenum B {}", at: "Sources/Model/C.swift")
        == ["Sources/Model/C.swift:1: the file is named after none of its types: A, B"])
  }
}
