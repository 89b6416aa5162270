import Foundation
package import Model

/// The program that judges units and calendar events.
package enum Systemd {
  package static let program = "/usr/bin/systemd-analyze"
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  /// The next times of a calendar event.
  package static func times(of event: String, after start: Instant, count: Int) throws -> [Instant]
  {
    let base = start.description.replacing("T", with: " ").replacing("Z", with: " UTC")
    let text = try output([
      "calendar", "--base-time=\(base)", "--iterations=\(count)", event,
    ]).text
    // "(in UTC): Mon 2026-06-01 07:00:00 UTC", or only "Next elapse: ..." where the machine is in
    // UTC.
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.last == "UTC", words.count >= 4 else { return nil }
      return Instant(iso8601: "\(words[words.count - 3])T\(words[words.count - 2])Z")
    }
  }

  package static func output(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }
}
