import Glibc

/// A file with something in it that only its owner should read.
package struct SecretFile: Sendable {
  let path: String

  package init(path: String) {
    self.path = path
  }

  /// A sentence about `subject`, which names the file, when others than its owner may read it, and
  /// how to mend that; nil when nobody else may, or there is no such file.
  ///
  /// It is the file that counts, not a link to it.
  package func warning(about subject: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "\(subject) can be read by others (mode \(String(status.st_mode & 0o777, radix: 8))); "
      + "run `chmod 600 \(path)`."
  }
}
