import CStart
import Foundation

/// The number of files that the process can still open (`ulimit -n`).
enum OpenFiles {
  /// The files of a command with requests: the database, a lock, timers, connections, job files.
  static let neededForTasks = 24

  /// The files of a database and its two companions.
  ///
  /// As many are needed later, when a queue of GRDB ends: libdispatch disposes of it in a thread.
  static let neededAlone = 3

  /// Whether tasks can start: the first one opens files, and libdispatch ends the program if it
  /// cannot.
  static var areEnoughForTasks: Bool { room(upTo: neededForTasks) == neededForTasks }

  /// Returns how many more files can be opened; does not count beyond `most`.
  static func room(upTo most: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return most }
    var count = 0
    var number: Int32 = 0
    while count < most, rlim_t(number) < limit.rlim_cur {
      if fcntl(number, F_GETFD) < 0 { count += 1 }
      number += 1
    }
    return count
  }
}

/// The number of threads that the process can still start: if one cannot be started, libdispatch
/// retries forever.
enum ThreadRoom {
  /// The threads of a command with requests: two per processor, signals, libcurl, deadlines.
  static let neededForTasks = 2 * min(ProcessInfo.processInfo.activeProcessorCount, 16) + 8

  /// The thread that disposes of a queue of GRDB: see `OpenFiles.neededAlone`.
  static let neededAlone = 1

  /// The limit of processes (`ulimit -u`) from which on threads are not counted: counting takes
  /// longer than a command with nothing to do.
  private static let plenty: rlim_t = 4_096

  /// RLIM_INFINITY, a number that Swift does not import.
  private static let unlimited = rlim_t.max

  /// Returns how many more threads can be started; `most` when counting is unnecessary.
  static func room(upTo most: Int) -> Int {
    guard isScarce(most) else { return most }
    return Int(firetally_count_threads(Int32(clamping: most)))
  }

  /// Whether a limit may prevent `count` threads: of processes, of address space, or of a control
  /// group.
  private static func isScarce(_ count: Int) -> Bool {
    limit(__RLIMIT_NPROC) < plenty || limit(RLIMIT_AS) != unlimited
      || ControlGroup.roomForTasks().map { $0 < count } ?? false
  }

  private static func limit(_ resource: __rlimit_resource) -> rlim_t {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
      return unlimited
    }
    return limit.rlim_cur
  }
}

/// The control group of the process, limited by a container's `--pids-limit` or a unit's
/// `TasksMax=`: cgroups(7), version 2.
enum ControlGroup {
  /// Returns how many more processes and threads are allowed; nil without a limit.
  static func roomForTasks(
    membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup"
  ) -> Int? {
    let group = text(of: membership)?.split(separator: "\n").first { $0.hasPrefix("0::") }
    guard let group = group?.dropFirst(3),
      let most = text(of: "\(root)\(group)/pids.max").flatMap({ Int($0) }),
      let count = text(of: "\(root)\(group)/pids.current").flatMap({ Int($0) })
    else { return nil }
    return max(0, most - count)
  }

  private static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path)
      .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines) }
  }
}
