import FoundationEssentials
import Glibc
package import Model

/// Who holds a workspace's lock, as the lock file tells others.
package struct LockOwner: Hashable, Codable, Sendable {
  package var pid: Int32
  package var host: String
  package var since: Instant
  /// The command line, without secrets: `firetally run --all`.
  package var command: String

  package init(pid: Int32, host: String, since: Instant, command: String) {
    self.pid = pid
    self.host = host
    self.since = since
    self.command = command
  }

  package static func thisProcess(command: String, since: Instant) -> LockOwner {
    var name = [CChar](repeating: 0, count: 256)
    let host = gethostname(&name, name.count - 1) == 0 ? name : []
    return LockOwner(
      pid: getpid(), host: String(decoding: host.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self),
      since: since, command: command)
  }
}

extension LockOwner: CustomStringConvertible {
  /// For example `pid 123 (firetally run --all) on mars since 2026-01-31T08:00:00Z`.
  package var description: String {
    "pid \(pid) (\(command)) on \(host) since \(since.iso8601)"
  }
}

extension LockOwner {
  var json: Data {
    do {
      return try JSONEncoder().encode(self)
    } catch {
      preconditionFailure("numbers, texts and an instant are always JSON: \(error)")
    }
  }

  /// Nil when the data is not a whole owner, as while one is being written.
  init?(json: Data) {
    do {
      self = try JSONDecoder().decode(LockOwner.self, from: json)
    } catch {
      return nil
    }
  }
}
