import Glibc

/// A file operation that the system refused.
package struct FileFailure: Error, Hashable, Sendable {
  /// What was tried, as an infinitive: `write`.
  package var action: String
  package var path: String
  /// The system's error number.
  package var code: Int32

  package init(_ action: String, _ path: String, code: Int32) {
    self.action = action
    self.path = path
    self.code = code
  }
}

extension FileFailure: CustomStringConvertible {
  package var description: String {
    "Cannot \(action) \(path): \(String(cString: strerror(code)).lowercased()). \(advice)"
  }

  private var advice: String {
    switch code {
    case EACCES, EPERM: "Give this user the right to do so, or run as the user who owns it."
    case EROFS: "The file system is mounted read-only: choose another folder, or remount it."
    case ENOSPC, EDQUOT: "Free some space, then run the command again: nothing was changed."
    case ENOENT: "Create the folder first ('firetally init' makes a workspace's own)."
    case ENOTDIR, EISDIR, EEXIST: "Move away what stands in its place."
    case EMFILE, ENFILE: "Too many files are open: raise 'ulimit -n'."
    default: "Check the path and the disk, then run the command again."
    }
  }
}
