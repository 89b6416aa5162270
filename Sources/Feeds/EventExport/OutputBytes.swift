import CZlib
import Glibc
import Platform

/// Writes bytes into an open file, plain or as gzip, through a buffer; or collects them in memory.
package final class OutputBytes {
  private let path: String
  /// Nil after `finish`.
  private var file: gzFile?
  /// The bytes so far, before their compression.
  package private(set) var count: Int64 = 0
  /// The bytes so far, where they are collected.
  package private(set) var collected: [UInt8] = []
  private let isInMemory: Bool
  /// What becomes of each piece before it is written, which is a number of whole lines of a table;
  /// nil leaves it as it is.
  package var filter: (([UInt8]) -> [UInt8])?
  /// The `errno` of the failed write; 0 without a failure.
  package private(set) var failureCode: Int32 = 0

  /// Writes to an open file, which stays open; errors name it by `path`.
  package init(descriptor: Int32, path: String, isGzip: Bool) throws(FeedError) {
    self.path = path
    isInMemory = false
    let copy = dup(descriptor)
    // T: transparent, without gzip.
    file = copy < 0 ? nil : gzdopen(copy, isGzip ? "wbe" : "wbeT")
    guard file != nil else { throw failure() }
    gzbuffer(file, 256 << 10)
  }

  /// Collects plain bytes in memory.
  package init() {
    path = "memory"
    isInMemory = true
  }

  deinit {
    if let file { gzclose_w(file) }
  }

  package func write(_ bytes: [UInt8]) throws(FeedError) {
    guard !isInMemory else {
      collected += bytes
      return count += Int64(bytes.count)
    }
    let bytes = filter?(bytes) ?? bytes
    // zlib counts in 32 bits and returns an int.
    let most = 1 << 30
    let isWritten = bytes.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: most).allSatisfy { start in
        let part = UnsafeRawBufferPointer(rebasing: buffer[start...].prefix(most))
        return gzwrite(file, part.baseAddress, UInt32(part.count)) > 0
      }
    }
    guard isWritten else { throw failure() }
    count += Int64(bytes.count)
  }

  package func finish() throws(FeedError) {
    guard let file else { return }
    self.file = nil
    guard gzclose_w(file) == Z_OK else { throw failure() }
  }

  private func failure() -> FeedError {
    failureCode = errno
    return .cannotWrite(path: path, reason: SystemError.text(failureCode))
  }
}
