import Testing

struct ImportCheckTests {
  private func findings(_ text: String, module: String) -> [String] {
    ImportCheck().findings(in: text, at: "Sources/\(module)/A.swift")
  }

  @Test(arguments: [
    ("Reports", "Model"), ("Store", "GRDB"), ("Firestore", "HTTP"), ("Emulator", "Firestore"),
    ("Jobs", "Sync"), ("firetally", "Jobs"), ("App", "Workspace"), ("Jobs", "App"),
    ("Operations", "Jobs"), ("Model", "FoundationEssentials"), ("ReportWriters", "Reports"),
    ("Store", "Foundation"), ("HTTP", "Glibc"), ("Jobs", "Synchronization"),
  ])
  func `an import that points down is fine`(module: String, imported: String) {
    #expect(findings("import \(imported)\n", module: module).isEmpty)
  }

  @Test(arguments: [
    ("Model", "Store"), ("Model", "Foundation"), ("Model", "Glibc"), ("Model", "Platform"),
    ("Platform", "Model"), ("Store", "Firestore"), ("Reports", "Firestore"), ("Sync", "Jobs"),
    ("Firestore", "Store"), ("HTTP", "Model"), ("Emulator", "Store"), ("Jobs", "Emulator"),
    ("Jobs", "GRDB"), ("Jobs", "firetally"), ("Workspace", "App"), ("Workspace", "Jobs"),
    ("Workspace", "Sync"), ("App", "Jobs"), ("App", "Firestore"), ("Jobs", "Operations"),
    ("Reports", "GRDB"), ("Store", "XCTest"), ("Reports", "ReportWriters"), ("Reports", "XML"),
    ("Workspace", "ReportWriters"),
  ])
  func `an import that points up, sideways or out is found`(module: String, imported: String) {
    let expected = "Sources/\(module)/A.swift:2: \(module) may not import \(imported)"
    #expect(findings("// A\nimport \(imported)\n", module: module) == [expected])
  }

  @Test(arguments: [
    "package import Store", "@testable import Store", "import struct Store.Reader",
    "@_exported @preconcurrency internal import Store", "  import Store", "import Store.Queries",
    "#if DEBUG\nimport Store\n#endif", "import CLibXML2\nimport Store",
  ])
  func `an import is found in every form`(text: String) {
    #expect(findings(text, module: "XML").count == 1)
  }

  @Test(arguments: [
    "// import Store", "/* import Store */", "let text = \"\"\"\n  import Store\n  \"\"\"",
    "/// import Store", "let reimport = 5",
  ])
  func `a comment or a text is no import`(text: String) {
    #expect(findings(text, module: "XML").isEmpty)
  }

  @Test func `a module that the plan does not have is found`() {
    #expect(
      findings("let a = 1", module: "Attic") == [
        "Sources/Attic/A.swift:1: the plan has no module Attic"
      ])
  }

  @Test func `no two modules import each other`() {
    for (module, imported) in ImportCheck.modules {
      for imported in imported { #expect(ImportCheck.modules[imported]?.contains(module) != true) }
    }
  }
}
