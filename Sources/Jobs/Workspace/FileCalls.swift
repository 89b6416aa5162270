import Glibc

/// The calls that write a file, replaceable where a test needs them to fail.
struct FileCalls: Sendable {
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
  var sync: @Sendable (Int32) -> Int32
  var rename: @Sendable (String, String) -> Int32

  static let system = FileCalls(
    write: { Glibc.write($0, $1.baseAddress, $1.count) },
    sync: { Glibc.fsync($0) },
    rename: { Glibc.rename($0, $1) })
}
