import CZlib
import Glibc
import Platform

/// Reads the lines of a plain or gzip file one at a time, in constant memory.
final class LineReader {
  /// One line without its line end (LF or CRLF).
  struct Line {
    /// From 1, counting blank lines.
    let number: Int
    /// Valid only during the call; only the beginning when `isTooLong`.
    ///
    /// Unless the line is too long, a line feed follows it, possibly after a carriage return.
    let bytes: UnsafeBufferPointer<UInt8>
    let isTooLong: Bool

    /// The bytes without the byte order mark that a file may begin with.
    var content: UnsafeBufferPointer<UInt8> {
      guard number == 1, bytes.starts(with: LineReader.byteOrderMark) else { return bytes }
      return UnsafeBufferPointer(rebasing: bytes.dropFirst(LineReader.byteOrderMark.count))
    }
  }

  /// U+FEFF in UTF-8, which some programs write at the start of a file.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let path: String
  private let longestLine: Int
  private let file: gzFile
  private var buffer: UnsafeMutableBufferPointer<UInt8>
  /// The range of the buffer that is read but not yet returned.
  private var pending = 0..<0
  private var lineNumber = 0
  private var isAtEnd = false
  /// Where the element at hand is read to, in an array.
  private var element = ElementScan()
  /// Whether the next record is an element of an array; nil before the first one.
  private var isInArray: Bool?

  /// Bytes of the file that were read so far, compressed ones where it is.
  var offset: Int { Int(gzoffset(file)) }

  static let standardInput = "-"

  private static let chunkBytes = 256 << 10

  init(path: String, longestLine: Int) throws(FeedError) {
    let file = try Self.open(path)
    // Reading twice zlib's buffer size makes it read a plain file directly, without copying.
    gzbuffer(file, UInt32(Self.chunkBytes / 2))
    self.path = path
    self.longestLine = longestLine
    self.file = file
    buffer = .allocate(capacity: longestLine + 2 + Self.chunkBytes)
    if let base = buffer.baseAddress { memset(base, 0, buffer.count) }
  }

  private static func open(_ path: String) throws(FeedError) -> gzFile {
    let number = path == standardInput ? dup(STDIN_FILENO) : try opened(path)
    guard number >= 0, let file = gzdopen(number, "rbe") else {
      throw .cannotOpen(path: path, reason: SystemError.text(errno))
    }
    return file
  }

  private static func opened(_ path: String) throws(FeedError) -> Int32 {
    do throws(RegularFile.Refusal) {
      return try RegularFile.openOrPipe(path)
    } catch {
      throw .cannotOpen(path: path, reason: error.reason)
    }
  }

  deinit {
    gzclose_r(file)
    buffer.deallocate()
  }

  /// Calls `body` with the next line and returns its result; nil after the last line.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` when the file ends early.
  func next<Result>(_ body: (Line) -> Result) throws(FeedError) -> Result? {
    var searched = pending.lowerBound
    while true {
      if let end = newline(from: searched) {
        defer { pending = end + 1..<pending.upperBound }
        return body(line(upTo: end))
      }
      if pending.count > longestLine + 1 { return try skipLongLine(body) }
      if isAtEnd { return takeLast(body) }
      let unsearched = pending.upperBound - pending.lowerBound
      try refill()
      searched = pending.lowerBound + unsearched
    }
  }

  private func line(upTo end: Int) -> Line {
    lineNumber += 1
    var bytes = UnsafeBufferPointer(rebasing: buffer[pending.lowerBound..<end])
    if bytes.last == UInt8(ascii: "\r") { bytes = UnsafeBufferPointer(rebasing: bytes.dropLast()) }
    let isTooLong = bytes.count > longestLine
    if isTooLong { bytes = UnsafeBufferPointer(rebasing: bytes.prefix(longestLine)) }
    return Line(number: lineNumber, bytes: bytes, isTooLong: isTooLong)
  }

  /// Reads a last line without a line end.
  private func takeLast<Result>(_ body: (Line) -> Result) -> Result? {
    guard !pending.isEmpty else { return nil }
    defer { pending = 0..<0 }
    // The buffer is two bytes and a chunk longer than the longest line.
    buffer[pending.upperBound] = UInt8(ascii: "\n")
    return body(line(upTo: pending.upperBound))
  }

  private func skipLongLine<Result>(_ body: (Line) -> Result) throws(FeedError) -> Result {
    let result = body(line(upTo: pending.upperBound))
    while true {
      if let end = newline(from: pending.lowerBound) {
        pending = end + 1..<pending.upperBound
        return result
      }
      pending = 0..<0
      if isAtEnd { return result }
      try refill()
    }
  }

  private func newline(from start: Int) -> Int? {
    guard let base = buffer.baseAddress, start < pending.upperBound,
      let found = memchr(base + start, Int32(UInt8(ascii: "\n")), pending.upperBound - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Moves the pending bytes to the front and reads more after them.
  private func refill() throws(FeedError) {
    if pending.lowerBound > 0, let base = buffer.baseAddress {
      memmove(base, base + pending.lowerBound, pending.count)
      pending = 0..<pending.count
    }
    let room = UnsafeMutableBufferPointer(rebasing: buffer[pending.upperBound...])
    let count = gzread(file, room.baseAddress, UInt32(min(room.count, Self.chunkBytes)))
    guard count <= 0 else {
      pending = pending.lowerBound..<pending.upperBound + Int(count)
      return
    }
    isAtEnd = true
    try checkEnd()
  }

  private func checkEnd() throws(FeedError) {
    var code: Int32 = Z_OK
    let message = gzerror(file, &code).map { String(cString: $0) } ?? ""
    switch code {
    case Z_OK, Z_STREAM_END: return
    case Z_BUF_ERROR: throw .truncated(path: path)
    case Z_ERRNO: throw .cannotRead(path: path, reason: SystemError.text(errno))
    default: throw .cannotRead(path: path, reason: message)
    }
  }
}

/// The elements of a JSON array, one at a time, over any number of lines.
extension LineReader {
  /// How far an element is read.
  private struct ElementScan {
    var depth = 0
    var isInText = false
    var isEscaped = false

    /// Whether the byte ends an element: a comma or bracket that is not part of it.
    mutating func isEnd(_ byte: UInt8) -> Bool {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        return false
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
      case UInt8(ascii: ","): return depth == 0
      default: break
      }
      return false
    }
  }

  /// Calls `body` with the next line, or the next element of an array that the file begins with;
  /// nil after the last one.
  ///
  /// Behind the array the file may go on with lines.
  func nextRecord<Result>(_ body: (Line) -> Result) throws(FeedError) -> Result? {
    if isInArray == nil { isInArray = try takeArray() }
    if isInArray == true {
      if let result = try nextElement(body) { return result }
      isInArray = false
    }
    return try next(body)
  }

  /// Whether the file begins with an array of objects; skips its bracket, and nothing otherwise.
  ///
  /// Call it before the first line.
  private func takeArray() throws(FeedError) -> Bool {
    guard let bracket = try firstPlace(from: pending.lowerBound, afterMark: true),
      buffer[bracket] == UInt8(ascii: "["),
      let first = try firstPlace(from: bracket + 1, afterMark: false),
      [UInt8(ascii: "{"), UInt8(ascii: "]")].contains(buffer[first])
    else { return false }
    pending = bracket + 1..<pending.upperBound
    return true
  }

  /// The place of the first byte from `start` on that is not a blank; nil without one nearby.
  private func firstPlace(from start: Int, afterMark: Bool) throws(FeedError) -> Int? {
    var place = start
    let mark = Self.byteOrderMark
    while true {
      while place >= pending.upperBound, !isAtEnd, pending.count < longestLine {
        // Nothing was taken yet, so that the bytes stay where they are.
        try refill()
      }
      guard place < pending.upperBound else { return nil }
      let isMark = afterMark && place - start < mark.count && buffer[place] == mark[place - start]
      guard isMark || [0x20, 0x09, 0x0A, 0x0D].contains(buffer[place]) else { return place }
      place += 1
    }
  }

  /// Calls `body` with the next element as a line, whose number counts elements; nil after the
  /// array.
  ///
  /// Throws `FeedError.cannotRead` when the file ends inside the array.
  private func nextElement<Result>(_ body: (Line) -> Result) throws(FeedError) -> Result? {
    element = ElementScan()
    var result: Result?
    var searched = pending.lowerBound
    while true {
      while searched < pending.upperBound {
        let byte = buffer[searched]
        if element.isEnd(byte) { return take(upTo: searched, result, body) }
        if byte == UInt8(ascii: "\n") {
          // A line end must not be among the bytes; a text has none.
          buffer[searched] = element.isInText ? 0x01 : 0x20
        }
        searched += 1
      }
      if pending.count > longestLine + 1 {
        if result == nil { result = body(line(upTo: pending.upperBound)) }
        pending = pending.upperBound..<pending.upperBound
      }
      guard !isAtEnd else {
        throw .cannotRead(path: path, reason: "its JSON array has no end")
      }
      let count = pending.count
      try refill()
      searched = pending.lowerBound + count
    }
  }

  /// Takes the element before the comma or bracket at `end`; `result` is that of one too long.
  private func take<Result>(
    upTo end: Int, _ result: Result?, _ body: (Line) -> Result
  ) -> Result? {
    let isLast = buffer[end] != UInt8(ascii: ",")
    let content = buffer[pending.lowerBound..<end]
    let isBlank = result == nil && content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard !isLast || !isBlank else {
      pending = end + 1..<pending.upperBound
      return nil
    }
    // The bracket behind the last element is met again.
    defer { pending = (isLast ? end : end + 1)..<pending.upperBound }
    if let result { return result }
    let byte = buffer[end]
    buffer[end] = UInt8(ascii: "\n")
    defer { buffer[end] = byte }
    return body(line(upTo: end))
  }
}
