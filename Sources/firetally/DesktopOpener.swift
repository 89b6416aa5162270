import Foundation

/// Hands a page to the program that the desktop opens pages with.
struct DesktopOpener {
  let environment: [String: String]
  /// Its own lines are none that a program could read.
  let isSilent: Bool

  /// The commands of the desktops, the first that is there is used.
  static let commands = ["xdg-open", "open"]

  /// - Throws: `CommandError.notOpened` when there is no such command, or it fails.
  func open(_ path: String) async throws {
    guard let command = Self.commands.lazy.compactMap(executable).first else {
      throw CommandError.notOpened(
        path: path, reason: "neither \(Self.commands.joined(separator: " nor ")) is installed.")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = [URL(fileURLWithPath: path).path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = isSilent ? FileHandle.nullDevice : FileHandle.standardError
    if isSilent { process.standardError = FileHandle.nullDevice }
    do {
      try process.run()
    } catch {
      throw CommandError.notOpened(path: path, reason: "\(command) cannot be started.")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandError.notOpened(
        path: path, reason: "\(command) ended with \(process.terminationStatus).")
    }
  }

  private func executable(_ name: String) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
