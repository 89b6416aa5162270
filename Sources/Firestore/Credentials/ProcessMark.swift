import Foundation
import Glibc

/// A variable by which a command and all that it starts are found.
///
/// A signal to a process group does not reach a process that began a session of its own (`setsid`),
/// and such a process may have lost its parents, too. Its environment still has the variable, unless
/// the command cleared it (`env -i`).
struct ProcessMark: Sendable {
  static let variable = "FIRETALLY_COMMAND_ID"

  private let id = UUID().uuidString

  /// The variable to start the command with.
  var environment: [String: String] { [Self.variable: id] }

  /// The marked processes that have not ended; none where there is no `/proc`.
  func processes() -> [pid_t] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc")
        .compactMap { pid_t($0) }.filter(isOn)
    } catch {
      // Without /proc only the process group can be ended.
      return []
    }
  }

  func send(_ signal: Int32) {
    for process in processes() { kill(process, signal) }
  }

  /// Whether the process inherited the variable; false for the process of another user.
  private func isOn(_ process: pid_t) -> Bool {
    let variables = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
    return variables.split(separator: 0).contains {
      $0.elementsEqual("\(Self.variable)=\(id)".utf8)
    }
  }
}
