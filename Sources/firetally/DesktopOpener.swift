import Foundation
import Subprocess

/// Hands a page to the program that the desktop opens pages with.
struct DesktopOpener {
  let environment: [String: String]
  /// Its own lines are none that a program could read.
  let isSilent: Bool

  /// The commands of the desktops, the first that is there is used.
  static let commands = ["xdg-open", "open"]

  /// - Throws: `CommandError.notOpened` when there is no such command, or it fails.
  func open(_ path: String) async throws {
    for command in Self.commands {
      let status: TerminationStatus
      do {
        status = try await run(command, URL(fileURLWithPath: path).path)
      } catch let error as SubprocessError where error.code == .executableNotFound {
        continue
      } catch is SubprocessError {
        throw CommandError.notOpened(path: path, reason: "\(command) cannot be started.")
      }
      switch status {
      case .exited(0): return
      case .exited(let number), .signaled(let number):
        throw CommandError.notOpened(path: path, reason: "\(command) ended with \(number).")
      }
    }
    throw CommandError.notOpened(
      path: path, reason: "neither \(Self.commands.joined(separator: " nor ")) is installed.")
  }

  private func run(_ command: String, _ path: String) async throws -> TerminationStatus {
    let keys = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
    let configuration = Configuration(
      executable: .name(command), arguments: [path],
      environment: .custom(Dictionary(uniqueKeysWithValues: keys)))
    guard !isSilent else {
      return try await Subprocess.run(configuration, output: .discarded).terminationStatus
    }
    return try await Subprocess.run(
      configuration, output: .currentStandardError, error: .currentStandardError
    ).terminationStatus
  }
}
