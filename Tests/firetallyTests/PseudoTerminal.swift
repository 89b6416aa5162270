import Foundation
import Glibc

/// A terminal with nobody at it but the test: what the program draws on it is collected.
final class PseudoTerminal: Sendable {
  private let master: Int32
  private let slave: Int32

  init(columns: UInt16 = 80) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    self.master = master
    self.slave = slave
  }

  deinit {
    close(master)
    close(slave)
  }

  /// Starts the program with this terminal as its output, as its input when a text is typed, and
  /// for its errors when those are to be seen.
  func start(
    _ program: BuiltProgram, _ arguments: [String], typing text: String? = nil,
    showsErrors: Bool = false
  ) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
      .merging(program.environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    if let text {
      process.standardInput = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
      _ = text.utf8.withContiguousStorageIfAvailable { write(master, $0.baseAddress, $0.count) }
    }
    process.standardOutput = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardError =
      showsErrors
      ? FileHandle(fileDescriptor: slave, closeOnDealloc: false) : FileHandle.nullDevice
    try process.run()
    return process
  }

  /// What is drawn until the program ends, or until `text` was drawn so often.
  func read(_ process: Process, until text: String? = nil, times: Int = 1) async throws -> String {
    var drawn: [UInt8] = []
    while true {
      let wasRunning = process.isRunning
      drawn += available()
      let all = String(decoding: drawn, as: UTF8.self)
      if let text, all.components(separatedBy: text).count > times { return all }
      if !wasRunning { return all }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func available() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(master, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
