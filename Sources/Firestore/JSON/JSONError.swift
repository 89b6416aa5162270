/// Why bytes are not JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: String, Sendable {
    case endOfInput = "the text ends too early"
    case unexpectedByte = "unexpected byte"
    case trailingBytes = "something follows the end of the value"
    case badNumber = "not a number as RFC 8259 writes them"
    case badEscape = "unknown escape in a string"
    case controlCharacter = "unescaped control character in a string"
    case loneSurrogate = "half of a surrogate pair in a string"
    case badUTF8 = "bytes that are not UTF-8"
    case tooDeep = "nested too deeply"
    case tooManyValues = "more values than are read"
  }

  package var problem: Problem
  /// Counted in bytes from 0; the length of the text when it ends too early.
  package var offset: Int

  package init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  package var description: String { "not JSON: \(problem.rawValue), at byte \(offset)" }
}
