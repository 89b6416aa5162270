import Emulator
import Fixtures
import Foundation
import Testing

/// The lines of `cron.example`, run as cron runs them.
@Suite struct CronLinesTests {
  enum Origin: CaseIterable { case clone, initialised }

  private let sample: TemporaryWorkspace
  private let folder: TemporaryFolder
  private let place: String

  init() async throws {
    sample = try await TemporaryWorkspace()
    folder = try TemporaryFolder()
    place = folder.url.appending(path: "work place").path
  }

  /// The repository's committed files, without those that no workspace needs.
  private func clone() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let listing = try output(
      of: "/usr/bin/env",
      [
        "git", "-C", root.path, "ls-files", "--", "cron.example", "firetally.yml", "data", "jobs",
        "output",
      ])
    try #require(listing.status == 0, "\(listing.text)")
    for path in listing.text.split(separator: "\n").map(String.init) {
      let target = URL(filePath: place).appending(path: path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: root.appending(path: path), to: target)
    }
  }

  /// Runs a program to its end; the text is that of both streams.
  private func output(
    of program: String, _ arguments: [String], environment: [String: String]? = nil
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// The variables and the commands of the crontab, as cron reads them.
  private func crontab() throws -> (variables: [String: String], commands: [String]) {
    let text = try String(contentsOfFile: place + "/cron.example", encoding: .utf8)
    let lines = text.replacing("/srv/firetally", with: place).split(separator: "\n")
    let variables = lines.compactMap { line in
      line.wholeMatch(of: /([A-Z]+)=(?:"(.*)"|(.*))/).map {
        (String($0.1), String($0.2 ?? $0.3 ?? ""))
      }
    }
    let commands = lines.filter { $0.first?.isNumber == true || $0.first == "*" }
      .compactMap { $0.split(separator: " ", maxSplits: 5).last.map(String.init) }
    return (Dictionary(variables) { $1 }, commands)
  }

  @Test(arguments: Origin.allCases)
  func `every line works in a fresh clone, and after init`(origin: Origin) async throws {
    switch origin {
    case .clone: try clone()
    case .initialised:
      let made = try await BuiltProgram().start(["init", place, "--project", "demo"]).wait()
      #expect(made.status == 0)
    }
    var (variables, commands) = try crontab()
    #expect(commands.count == 8)
    #expect(variables["MAILTO"]?.isEmpty == false, "what goes wrong is mailed to somebody")
    let programs = BuiltProgram.url.deletingLastPathComponent().path
    variables["PATH"] = "\(programs):\(variables["PATH"] ?? "")"
    variables["FIRESTORE_EMULATOR_HOST"] = sample.server.address
    variables["HOME"] = folder.path
    for command in commands {
      let result = try output(of: "/bin/sh", ["-c", command], environment: variables)
      // The sample's few bad documents make a load partial.
      #expect([0, 3].contains(result.status), "\(command): \(result.text)")
      let isPartial =
        result.status == 3 && result.text.contains(" warning: online-users: Partial: ")
      #expect(result.text.isEmpty || isPartial, "\(command): \(result.text)")
    }
    #expect(FileManager.default.fileExists(atPath: place + "/output/index.html"))
  }
}
