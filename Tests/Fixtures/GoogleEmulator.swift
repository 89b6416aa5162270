import Foundation
import Glibc

/// Google's own Firestore emulator, where its jar and Java are on the machine.
///
/// Started at most once in a test process, on a port of its own; it ends with that process, however
/// that ends. Tests share it, so each takes a project of its own.
package final class GoogleEmulator: Sendable {
  /// `host:port`, as `FIRESTORE_EMULATOR_HOST` has it.
  package let address: String

  private let shell: Process
  /// The shell's input; when our end of it closes, the shell kills the emulator.
  private let leash = Pipe()

  /// Whether tests that need it can run; the others are skipped with `absence`.
  package static let isInstalled = jar != nil && java != nil
  package static let absence =
    "Google's emulator is not here: apt-get install google-cloud-cli-firestore-emulator"

  /// The emulator, once its port answers; throws when it does not within a minute.
  package static func shared() async throws -> GoogleEmulator { try await running.value }

  private static let running = Task { try await GoogleEmulator.start() }

  /// Why there is no emulator to test against.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private static func start() async throws -> GoogleEmulator {
    guard let jar, let java else { throw Failure(description: absence) }
    let port = try LoopbackSocket().port
    let emulator = try GoogleEmulator(java: java, jar: jar, port: port)
    for _ in 0..<1200 where emulator.shell.isRunning {
      if answers(port) { return emulator }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Failure(description: "Google's emulator did not start on port \(port)")
  }

  private init(java: String, jar: String, port: Int) throws {
    address = "127.0.0.1:\(port)"
    shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "\"$@\" </dev/null & emulator=$!; cat; kill -9 $emulator", "sh", java,
      "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-cp", jar,
      "com.google.cloud.datastore.emulator.firestore.CloudFirestore", "start", "--host=127.0.0.1",
      "--port=\(port)",
    ]
    _ = fcntl(leash.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    shell.standardInput = leash
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
  }

  private static let jar: String? = output(
    of: "dpkg -L google-cloud-cli-firestore-emulator 2>/dev/null | grep '\\.jar$' | head -1")
  private static let java: String? = output(of: "command -v java")

  /// The first line that the shell command prints; nil when it prints none.
  private static func output(of command: String) -> String? {
    let shell = Process()
    let pipe = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", command]
    shell.standardOutput = pipe
    do {
      try shell.run()
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      shell.waitUntilExit()
      return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    } catch {
      return nil
    }
  }

  /// Whether something listens on that port of the loopback address.
  private static func answers(_ port: Int) -> Bool {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
