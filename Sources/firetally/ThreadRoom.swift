import CStart
import Foundation

/// The open files that the limit of the process leaves room for (`ulimit -n`).
enum OpenFiles {
  /// What a command takes that makes requests: the database, a lock, timers, connections, job
  /// files.
  static let neededForTasks = 24

  /// What a database and its two companions take, and later a queue of GRDB's that ends:
  /// libdispatch disposes of it in a thread, for which it opens as many.
  static let neededAlone = 3

  /// Whether tasks may begin: the first one opens files, and the system's library ends the program
  /// where it cannot.
  static var areEnoughForTasks: Bool { room(upTo: neededForTasks) == neededForTasks }

  /// How many more files may be opened; counts no further than it has to.
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

/// The threads that the limits of the process leave room for: where one cannot be started,
/// libdispatch tries again for ever.
enum ThreadRoom {
  /// What a command takes that makes requests: two a processor, signals, libcurl, deadlines.
  static let neededForTasks = 2 * min(ProcessInfo.processInfo.activeProcessorCount, 16) + 8

  /// What disposes of a queue of GRDB's: see `OpenFiles.neededAlone`.
  static let neededAlone = 1

  /// A limit of processes (`ulimit -u`) from which on threads are not counted: that takes longer
  /// than a command that has nothing to do.
  private static let plenty: rlim_t = 4_096

  /// RLIM_INFINITY, a number that Swift does not import.
  private static let unlimited = rlim_t.max

  /// How many more threads may be started; `most` where that is not worth counting.
  static func room(upTo most: Int) -> Int {
    guard isScarce(most) else { return most }
    return Int(firetally_count_threads(Int32(clamping: most)))
  }

  /// Whether a limit may forbid so many: of processes, of the address space, or a control group's.
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

/// The control group of the process, as a container's `--pids-limit` or a unit's `TasksMax=` limit
/// it: cgroups(7), version 2.
enum ControlGroup {
  /// How many more processes and threads it may have; nil without a limit.
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
