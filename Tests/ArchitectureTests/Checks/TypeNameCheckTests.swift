import Testing

struct TypeNameCheckTests {
  private func findings(_ files: (String, String)...) -> [String] {
    TypeNameCheck().findings(in: files.map { SwiftFile(path: $0.0, text: $0.1) })
      .map(\.description)
  }

  @Test func `two modules with one name are found, at the second type`() {
    #expect(
      findings(
        ("Sources/Model/A.swift", "package struct Reader {}"),
        ("Sources/Store/B.swift", "import Model\n\nfinal class Reader: Sendable {}")
      ) == [
        "Sources/Store/B.swift:3: the type Reader has the name of one in Sources/Model/A.swift"
      ])
  }

  @Test(arguments: [
    "struct A {}", "package enum A {}", "@MainActor final class A {}", "protocol A {}",
    "package indirect enum A {", "actor A {}", "package typealias A = Int", "struct A<B> {",
  ])
  func `every kind of type counts`(text: String) {
    #expect(
      findings(("Sources/Model/A.swift", "enum A {}"), ("Sources/Store/A.swift", text)).count == 1)
  }

  @Test(arguments: [
    "private struct A {}", "fileprivate enum A {}", "extension A {}",
    "extension B {\n  struct A {}\n}",
    "// struct A {}", "let a = \"struct A\"", "func structure(_ A: Int) {}",
    "import struct Model.A",
    "struct AB {}",
  ])
  func `private types, nested types, extensions and other names do not count`(text: String) {
    #expect(
      findings(("Sources/Model/A.swift", "enum A {}"), ("Sources/Store/A.swift", text)).isEmpty)
  }

  @Test func `one module may extend its own name, and tests do not count`() {
    #expect(
      findings(
        ("Sources/Model/A.swift", "enum A {}"),
        ("Sources/Model/B.swift", "#if B\nenum A {}\n#endif"),
        ("Tests/ModelTests/A.swift", "enum A {}")
      ).isEmpty)
  }
}
