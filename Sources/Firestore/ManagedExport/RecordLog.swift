import Glibc
import Platform

/// The format of LevelDB's logs, which contain the records of exports; see
/// `docs/managed-exports.md#files`.
enum RecordLog {
  static let blockLength = 32_768
  /// The length of a fragment's head: checksum, length and type.
  static let headLength = 7
  /// The largest record that is accepted: a document has 1 MiB, and a record little more.
  static let longestRecord = 16 << 20

  enum Fragment: UInt8 {
    case whole = 1
    case first, middle, last
  }
}

/// A reader of the records of one log file, in order, a few blocks at a time.
final class RecordLogReader {
  private let path: String
  private let number: Int32
  private var bytes = [UInt8](repeating: 0, count: 32 * RecordLog.blockLength)
  /// The part of `bytes` that is not yet read.
  private var rest = 0..<0
  /// The position of `bytes` in the file.
  private var start = 0
  /// The joined fragments of a record that is longer than a block.
  private var parts: [UInt8] = []

  init(_ path: String) throws(ExportError) {
    self.path = path
    do {
      number = try RegularFile.open(path, O_RDONLY)
    } catch {
      throw ExportError(path, "cannot be read: \(error.reason)")
    }
  }

  deinit { close(number) }

  /// Calls `body` with the next record, which is valid during the call.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: `ExportError` for a file that is damaged or cut inside a record, and the errors of
  ///   `body`.
  func next(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    parts.removeAll(keepingCapacity: true)
    var isInside = false
    while let (type, range) = try nextFragment() {
      guard isInside == (type == .middle || type == .last) else {
        throw damage("a record begins inside another one")
      }
      switch type {
      case .whole:
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        return true
      case .first, .middle:
        isInside = true
        parts += bytes[range]
        guard parts.count <= RecordLog.longestRecord else {
          throw damage("a record is longer than any document")
        }
      case .last:
        parts += bytes[range]
        try parts.withUnsafeBytes(body)
        return true
      }
    }
    guard !isInside else { throw damage("it ends inside a record") }
    return false
  }

  /// Returns the next fragment and the range of its data in `bytes`; nil at the end of the file.
  private func nextFragment() throws(ExportError) -> (RecordLog.Fragment, Range<Int>)? {
    // The rest of a block that is too short for a fragment's head is filled with zeros.
    let room = RecordLog.blockLength - rest.lowerBound % RecordLog.blockLength
    if room < RecordLog.headLength, !rest.isEmpty {
      let padding = rest.lowerBound..<min(rest.lowerBound + room, rest.upperBound)
      guard bytes[padding].allSatisfy({ $0 == 0 }) else { throw damage("its padding is not empty") }
      rest = padding.upperBound..<rest.upperBound
    }
    if rest.isEmpty, try !readBlocks() { return nil }
    let place = rest.lowerBound
    let blockEnd = (place / RecordLog.blockLength + 1) * RecordLog.blockLength
    guard rest.count >= RecordLog.headLength else { throw damage("it ends inside a record") }
    let (sum, length): (UInt32, Int) = bytes.withUnsafeBytes { bytes in
      (
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)),
        Int(bytes[place + 4]) | Int(bytes[place + 5]) << 8
      )
    }
    let data = place + RecordLog.headLength..<place + RecordLog.headLength + length
    guard data.upperBound <= blockEnd else { throw damage("a record leaves its block") }
    guard data.upperBound <= rest.upperBound else { throw damage("it ends inside a record") }
    let found = bytes.withUnsafeBytes { bytes in
      CRC32C.masked(UnsafeRawBufferPointer(rebasing: bytes[place + 6..<data.upperBound]))
    }
    guard found == sum else { throw damage("a checksum is wrong") }
    guard let type = RecordLog.Fragment(rawValue: bytes[place + 6]) else {
      throw damage("a record has the unknown type \(bytes[place + 6])")
    }
    rest = data.upperBound..<rest.upperBound
    return (type, data)
  }

  /// Fills `bytes` with the next blocks; returns false at the end of the file.
  private func readBlocks() throws(ExportError) -> Bool {
    start += rest.upperBound
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { bytes in
        Glibc.read(number, bytes.baseAddress.map { $0 + count }, bytes.count - count)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else {
        throw ExportError(path, "cannot be read: \(SystemError.text(errno))")
      }
      guard read > 0 else { break }
      count += read
    }
    rest = 0..<count
    return count > 0
  }

  private func damage(_ problem: String) -> ExportError {
    ExportError(path, "is damaged near byte \(start + rest.lowerBound): \(problem)")
  }
}

/// A writer of records in the format of a LevelDB log.
struct RecordLogWriter {
  /// The bytes that were not taken yet.
  private(set) var bytes: [UInt8] = []
  /// The number of bytes in the file so far.
  private(set) var count = 0

  mutating func append(_ record: [UInt8]) {
    var rest = record[...]
    var isFirst = true
    repeat {
      var room = RecordLog.blockLength - count % RecordLog.blockLength
      if room < RecordLog.headLength {
        bytes.append(contentsOf: repeatElement(0, count: room))
        count += room
        room = RecordLog.blockLength
      }
      let data = rest.prefix(room - RecordLog.headLength)
      rest = rest.dropFirst(data.count)
      let isLast = rest.isEmpty
      append(data, isFirst ? (isLast ? .whole : .first) : (isLast ? .last : .middle))
      isFirst = false
    } while !rest.isEmpty
  }

  private mutating func append(_ data: ArraySlice<UInt8>, _ type: RecordLog.Fragment) {
    let sum = ([type.rawValue] + data).withUnsafeBytes(CRC32C.masked)
    bytes.append(contentsOf: withUnsafeBytes(of: sum.littleEndian, Array.init))
    bytes += [UInt8(data.count & 0xFF), UInt8(data.count >> 8), type.rawValue]
    bytes += data
    count += RecordLog.headLength + data.count
  }

  /// Returns the bytes to write and clears them.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// An error about an export that cannot be read or written: the file, and its problem.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// A predicate: `is damaged near byte 7: a checksum is wrong`.
  package let problem: String

  package init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  package var description: String { "\(path) \(problem)." }
}
