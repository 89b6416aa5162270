import Testing

struct WordCheckTests {
  @Test(arguments: [
    "fatalError(\"no\")", "public struct A {}", "extension A { public init() {} }",
    "final class A: @unchecked Sendable {}", "extension A: @unchecked  Sendable {}",
    "nonisolated(unsafe) var a = 1",
  ])
  func `a banned word is found anywhere in the sources`(text: String) {
    #expect(WordCheck.everywhere.findings(in: text).count == 1)
  }

  @Test(arguments: [
    "let a = \"fatalError(\"", "// fatalError() to be good", "let publicName = 1",
    "struct A: Sendable {}",
  ])
  func `what only looks like one is not`(text: String) {
    #expect(WordCheck.everywhere.findings(in: text).isEmpty)
  }

  @Test(arguments: [
    "Sources/HTTP/Transfer.swift", "Sources/Store/RawStatement.swift",
    "Sources/HTTP/HTTPClient.swift", "Sources/Jobs/A.swift",
  ])
  func `nobody promises more than the compiler sees, the wrapper of a C library neither`(
    path: String
  ) {
    let text = "final class A: @unchecked Sendable {}"
    #expect(WordCheck.everywhere.findings(in: text, at: path).count == 1)
  }

  @Test(arguments: [
    ("Sources/Workspace/A.swift", 1), ("Sources/Jobs/Engine/JobOrder.swift", 1),
    ("Sources/Jobs/Engine/Job.swift", 0), ("Sources/Jobs/Kinds/Report/A.swift", 0),
  ])
  func `only the kinds look at the options of a kind`(path: String, count: Int) {
    for text in ["job.definition as? ReportOptions", "case let found as ReportOptions:"] {
      #expect(WordCheck.everywhere.findings(in: text, at: path).count == count)
    }
  }

  @Test(arguments: [
    ("Sources/Emulator/Server/EmulatorServer.swift", 0), ("Sources/HTTP/A.swift", 1),
  ])
  func `one file below the program asks for the time`(path: String, count: Int) {
    let text = "clock_gettime(CLOCK_REALTIME, &t)"
    #expect(WordCheck.belowTheProgram.findings(in: text, at: path).count == count)
  }

  @Test(arguments: [
    "print(1)", "  debugPrint(a)", "dump(a)", "let now = Date()", "let now = Date.now",
    "ProcessInfo.processInfo.environment[\"A\"]", "getenv(\"A\")", "exit(1)", "_exit(1)",
    "ContinuousClock().now", "let a = SuspendingClock.now", "clock_gettime(CLOCK_REALTIME, &t)",
    "CommandLine.arguments", "setenv(\"A\", \"B\", 1)",
  ])
  func `what belongs to the program is found below it`(text: String) {
    #expect(WordCheck.belowTheProgram.findings(in: text).count == 1)
  }

  @Test(arguments: [
    "footprint(1)", "writer.print(1)", "Date(timeIntervalSince1970: 0)", "let a: Date = b",
    "// print(1)", "let a = \"print(1)\"", "onexit(1)", "Task.sleep(for: a)", "blueprint (a)",
  ])
  func `what does not ask anything of the world is fine`(text: String) {
    #expect(WordCheck.belowTheProgram.findings(in: text).isEmpty)
  }

  @Test(arguments: [
    ("Tests/StoreTests/A.swift", 1), ("Tests/Fixtures/TemporaryFolder.swift", 0),
    ("Tests/Fixtures/ScriptedServer.swift", 1),
  ])
  func `one fixture alone knows where temporary folders are`(path: String, count: Int) {
    for text in [
      "FileManager.default.temporaryDirectory", "let path = NSTemporaryDirectory() + \"a\"",
      "let kind = FileManager.SearchPathDirectory.itemReplacementDirectory",
    ] {
      #expect(WordCheck.inTests.findings(in: text, at: path).count == count)
    }
  }

  @Test func `a file of the C library's is found in tests, and a TemporaryFolder is none`() {
    for name in ["mkdtemp", "mkstemp", "tmpfile"] {
      #expect(WordCheck.inTests.findings(in: "\(name)(&path)").count == 1)
    }
    #expect(WordCheck.inTests.findings(in: "let folder = try TemporaryFolder()").isEmpty)
  }

  @Test func `every place is found, with its line`() {
    #expect(
      WordCheck.belowTheProgram.findings(in: "print(1)\n\nprint(2)\n") == [
        "Sources/Model/A.swift:1: 'print(': only the program prints",
        "Sources/Model/A.swift:3: 'print(': only the program prints",
      ])
  }
}
