import Foundation

/// A Python program that judges what a test wrote.
package enum PythonProgram {
  /// Whether Python has the modules, by their names with commas between them.
  package static func isThere(modules: String) -> Bool {
    do {
      return try output(of: "import \(modules)", in: "/").isEmpty
    } catch {
      return false
    }
  }

  /// What the program prints, its errors included.
  package static func output(of program: String, in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-W", "ignore", "-c", program]
    process.currentDirectoryURL = URL(filePath: folder)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
