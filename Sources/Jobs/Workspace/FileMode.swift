import Glibc

/// Who may read what the program writes; see `docs/privacy.md#file-modes`.
package struct FileMode: Hashable, Sendable {
  /// The permission bits of files; a folder can also be entered by whoever may read it.
  let bits: mode_t

  /// 0600 and 0700: all that the program writes, unless `output.mode` says otherwise.
  package static let ownerOnly = FileMode(bits: 0o600)

  /// What configuration files accept, for messages.
  static let wanted = "a file mode such as 0640: owner 6, group 0, 4 or 6, others 0 or 4"

  private init(bits: mode_t) {
    self.bits = bits
  }

  /// Nil unless the owner may read and write, nobody may execute, and others may not write.
  package init?(octal text: String) {
    let digits = text.hasPrefix("0o") ? text.dropFirst(2) : text[...]
    guard (3...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }),
      let bits = mode_t(digits, radix: 8), bits >> 6 == 0o6,
      [0, 0o4, 0o6].contains(bits >> 3 & 0o7), [0, 0o4].contains(bits & 0o7)
    else { return nil }
    self.init(bits: bits)
  }

  /// The permission bits of folders.
  var folderBits: mode_t { bits | (bits & 0o444) >> 2 }

  /// Gives a file that was made for its owner alone this mode, whatever the umask.
  func apply(to file: FileDescriptor, named path: String) throws(JobsError) {
    guard self != .ownerOnly, fchmod(file.number, bits) != 0 else { return }
    throw .cannot("set the mode of", path)
  }

  /// Gives a folder of this user this mode; a folder of another user, and any folder when the mode
  /// is `ownerOnly`, stays as it is.
  func apply(toFolder path: String) throws(JobsError) {
    var status = stat()
    guard self != .ownerOnly, stat(path, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o777 != folderBits, chmod(path, folderBits) != 0
    else { return }
    throw .cannot("set the mode of", path)
  }
}
