package import Foundation
import Glibc
import Model
import Platform
import Synchronization
package import Workspace

/// The machine as the checks see it; tests replace it.
package struct DoctorMachine: Sendable {
  /// The file system of a path.
  package struct Disk: Hashable, Sendable {
    /// The bytes that this user can still write.
    package var freeBytes: Int64
    /// Whether it is a network file system, where flock(2) may not reach other machines.
    package var isRemote: Bool = false
  }

  package var disk: @Sendable (_ path: String) throws -> Disk
  /// Runs a shell command; returns its output if it succeeds within 10 seconds, else nil.
  package var output: @Sendable (_ command: String) async -> String?
  /// Returns the text of a small file; nil when it cannot be read.
  package var text: @Sendable (_ path: String) -> String?
  /// Returns the names in a folder; none when it cannot be read.
  package var names: @Sendable (_ folder: String) -> [String]
  /// Sends a HEAD request and returns the status code.
  package var head: @Sendable (_ url: String) async throws -> Int
  /// Returns the zone with a name; nil when the system has no data for it.
  package var timeZone: @Sendable (_ name: String) -> TimeZone? = { TimeZone(identifier: $0) }
  /// The time zone of cron.
  package var systemTimeZone: TimeZone
  /// The home folder; nil when it is unknown.
  package var home: String?

  private static let commandTimeout = Duration.seconds(10)
  /// The largest size of a crontab or unit that is read, in bytes.
  private static let longestFile = 1 << 20
  /// The variables that `systemctl --user` needs in addition to those of hooks.
  private static let sessionVariables: Set<String> = [
    "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
  ]
  /// File system types as named in /proc/self/mounts.
  private static let remoteFileSystems: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "fuse.sshfs", "fuse.glusterfs",
  ]

  package static func live(
    _ workspace: Workspace, environment: [String: String],
    head: @escaping @Sendable (String) async throws -> Int,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) -> DoctorMachine {
    let passed = HookRunner.passedVariables.union(sessionVariables)
    let variables = environment.filter { passed.contains($0.key) }
    return DoctorMachine(
      disk: disk,
      output: { text in
        await output(
          of: ShellCommand(text: text, environment: variables, folder: workspace.root),
          sleep: sleep)
      },
      text: text, names: names, head: head, systemTimeZone: .current, home: environment["HOME"])
  }

  private static func disk(of path: String) throws(WorkspaceError) -> Disk {
    var room = statvfs()
    guard statvfs(path, &room) == 0 else { throw .cannot("look at the disk of", path) }
    let (bytes, isTooMany) = UInt64(room.f_bavail).multipliedReportingOverflow(
      by: UInt64(room.f_frsize))
    return Disk(
      freeBytes: isTooMany ? .max : Int64(clamping: bytes),
      isRemote: isRemote(
        URL(filePath: path).resolvingSymlinksInPath().path,
        mounts: text(of: "/proc/self/mounts") ?? ""))
  }

  /// Whether a path is on another machine; `mounts` has lines of device, path and type.
  static func isRemote(_ path: String, mounts: String) -> Bool {
    var (place, type) = ("", "")
    for line in mounts.split(separator: "\n") {
      let parts = line.split(separator: " ").map { String($0).replacingScalars("\\040", with: " ") }
      guard parts.count > 2 else { continue }
      let folder = parts[1].hasSuffix("/") ? parts[1] : parts[1] + "/"
      // If two are mounted at the same path, the later one hides the other.
      if "\(path)/".hasPrefix(folder), folder.utf8.count >= place.utf8.count {
        (place, type) = (folder, parts[2])
      }
    }
    return remoteFileSystems.contains(type)
  }

  private static func output(
    of command: ShellCommand, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) async -> String? {
    let heard = Mutex<[String]>([])
    do {
      let ending = try await command.run(
        timeout: commandTimeout, said: { line in heard.withLock { $0.append(line) } }, sleep: sleep)
      return ending == .exited(status: 0) ? heard.withLock { $0.joined(separator: "\n") } : nil
    } catch {
      return nil
    }
  }

  private static func text(of path: String) -> String? {
    do {
      return String(
        decoding: try FileContents.bytes(of: path, limit: longestFile), as: UTF8.self)
    } catch {
      return nil
    }
  }

  private static func names(in folder: String) -> [String] {
    do {
      return try FileContents.names(in: folder)
    } catch {
      return []
    }
  }
}
