import Testing

struct ImportCheckTests {
  private func findings(_ text: String, room: String) -> [String] {
    ImportCheck().findings(in: text, at: "Sources/\(room)/A.swift")
  }

  @Test(arguments: [
    ("Rules", "Model"), ("Store", "GRDB"), ("Firestore", "HTTP"), ("Emulator", "Firestore"),
    ("Jobs", "Sync"), ("firetally", "Jobs"), ("Model", "FoundationEssentials"),
    ("Store", "Foundation"), ("HTTP", "Glibc"), ("Jobs", "Synchronization"),
  ])
  func `an import that points down is fine`(room: String, module: String) {
    #expect(findings("import \(module)\n", room: room).isEmpty)
  }

  @Test(arguments: [
    ("Model", "Rules"), ("Model", "Foundation"), ("Rules", "Foundation"), ("Rules", "Glibc"),
    ("Rules", "Store"), ("Store", "Rules"), ("Store", "Firestore"), ("Reports", "Store"),
    ("Session", "Firestore"), ("Sync", "Session"), ("Session", "Sync"), ("Firestore", "Model"),
    ("HTTP", "Model"), ("Emulator", "Store"), ("Jobs", "Emulator"), ("Jobs", "GRDB"),
    ("Jobs", "firetally"), ("Reports", "GRDB"), ("Store", "XCTest"),
  ])
  func `an import that points up, sideways or out is found`(room: String, module: String) {
    let expected = "Sources/\(room)/A.swift:2: \(room) may not import \(module)"
    #expect(findings("// A\nimport \(module)\n", room: room) == [expected])
  }

  @Test(arguments: [
    "package import Store", "@testable import Store", "import struct Store.Reader",
    "@_exported @preconcurrency internal import Store", "  import Store", "import Store.Queries",
    "#if DEBUG\nimport Store\n#endif", "import Model\nimport Store",
  ])
  func `an import is found in every form`(text: String) {
    #expect(findings(text, room: "Rules").count == 1)
  }

  @Test(arguments: [
    "// import Store", "/* import Store */", "let text = \"\"\"\n  import Store\n  \"\"\"",
    "/// import Store", "let reimport = 5",
  ])
  func `a comment or a text is no import`(text: String) {
    #expect(findings(text, room: "Rules").isEmpty)
  }

  @Test func `a room that the plan does not have is found`() {
    #expect(
      findings("let a = 1", room: "Attic") == [
        "Sources/Attic/A.swift:1: the plan has no room Attic"
      ])
  }

  @Test func `no two rooms import each other`() {
    for (room, modules) in ImportCheck.rooms {
      for module in modules { #expect(ImportCheck.rooms[module]?.contains(room) != true) }
    }
  }
}
