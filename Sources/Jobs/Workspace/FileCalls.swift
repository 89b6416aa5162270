import Glibc

/// The calls that write files and folders, replaceable where a test needs them to fail.
struct FileCalls: Sendable {
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
  var sync: @Sendable (Int32) -> Int32
  var rename: @Sendable (String, String) -> Int32
  var makeFolder: @Sendable (String) -> Int32 = { Glibc.mkdir($0, 0o755) }
  var remove: @Sendable (String) -> Int32 = { Glibc.unlink($0) }
  var removeFolder: @Sendable (String) -> Int32 = { Glibc.rmdir($0) }

  static let system = FileCalls(
    write: { Glibc.write($0, $1.baseAddress, $1.count) },
    sync: { Glibc.fsync($0) },
    rename: { Glibc.rename($0, $1) })
}
