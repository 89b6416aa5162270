import Glibc

/// What can have the name of a file and is no regular one; folders are not counted.
///
/// To open a named pipe waits for whoever writes to it, for ever if need be, and a device may have
/// no end. The raw value is the end of a sentence: `it is a named pipe`.
package enum SpecialFile: String, Hashable, Sendable {
  case namedPipe = "a named pipe"
  case device = "a device"
  case socket = "a socket"

  /// What has the name, behind any links; nil for a regular file, a folder, and where nothing is.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode)
  }

  init?(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFIFO: self = .namedPipe
    case S_IFCHR, S_IFBLK: self = .device
    case S_IFSOCK: self = .socket
    default: return nil
    }
  }
}
