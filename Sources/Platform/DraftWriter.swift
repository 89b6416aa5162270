package import Glibc

/// The process that writes a file or a folder under a temporary name, which holds its description.
///
/// Where containers or machines share a folder, a process id alone says nothing: that of a
/// container's first process is always 1. So the name also tells where the id counts.
package struct DraftWriter: Hashable, Sendable {
  /// The seconds without a write after which any draft counts as abandoned: its writer cannot be
  /// looked up from here, or another process has its id now.
  static let longestPause = 86_400

  let process: pid_t
  /// Which processes the id belongs to; nil for a name of Firetally 0.3, which did not say it.
  let space: UInt32?

  package static let current = DraftWriter(process: getpid())

  /// A process beside this one.
  package init(process: pid_t) {
    self.init(process: process, space: Self.ownSpace)
  }

  init(process: pid_t, space: UInt32?) {
    self.process = process
    self.space = space
  }

  /// Reads a description, or a process id alone; nil for another text.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count <= 2, let process = pid_t(parts[0]), process > 0 else { return nil }
    guard parts.count == 2 else {
      self.init(process: process, space: nil)
      return
    }
    guard let space = UInt32(parts[1], radix: 16) else { return nil }
    self.init(process: process, space: space)
  }

  /// Whether the writer of the file or folder at `path` has died, or wrote nothing for a day.
  ///
  /// `now` is in unix seconds.
  package func hasAbandoned(_ path: String, at now: Int = time(nil)) -> Bool {
    if space == Self.ownSpace, kill(process, 0) != 0, errno == ESRCH { return true }
    var status = stat()
    return lstat(path, &status) == 0 && now - status.st_mtim.tv_sec > Self.longestPause
  }

  /// This machine's name and this process's namespace of process ids, by FNV-1a.
  private static let ownSpace: UInt32 = {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    var status = stat()
    let number = stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0
    let bytes = name.map(UInt8.init(bitPattern:)) + withUnsafeBytes(of: number, Array.init)
    return bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }()
}

extension DraftWriter: CustomStringConvertible {
  /// `4711_9f3a2c11`.
  package var description: String {
    "\(process)" + (space.map { "_\(String($0, radix: 16))" } ?? "")
  }
}
