@testable import Reports

/// A strict reader of RFC 4180, for tests.
enum CSVReader {
  struct Fault: Error {
    var what: String
  }

  static func records(of bytes: [UInt8]) throws -> [[String]] {
    var reader = Reader(bytes)
    var records: [[String]] = []
    while !reader.isAtEnd { records.append(try reader.record()) }
    return records
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func record() throws -> [String] {
      var fields = [try field()]
      while next == UInt8(ascii: ",") {
        position += 1
        fields.append(try field())
      }
      guard next == 0x0D else { throw Fault(what: "no CR at \(position)") }
      position += 1
      guard next == 0x0A else { throw Fault(what: "no LF at \(position)") }
      position += 1
      return fields
    }

    private mutating func field() throws -> String {
      next == UInt8(ascii: "\"") ? try quoted() : try plain()
    }

    private mutating func plain() throws -> String {
      let start = position
      while let byte = next, byte != UInt8(ascii: ","), byte != 0x0D {
        guard byte != UInt8(ascii: "\""), byte != 0x0A else {
          throw Fault(what: "a bare quote or line feed at \(position)")
        }
        position += 1
      }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws -> String {
      var content: [UInt8] = []
      position += 1
      while let byte = next {
        position += 1
        guard byte == UInt8(ascii: "\"") else {
          content.append(byte)
          continue
        }
        guard next == UInt8(ascii: "\"") else { return String(decoding: content, as: UTF8.self) }
        content.append(byte)
        position += 1
      }
      throw Fault(what: "an open quote at the end")
    }
  }
}

extension JSONScalar {
  /// The text that CSV should have for the value.
  var csv: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
    case .integers(let numbers):
      "[" + numbers.map { $0.map { "\($0)" } ?? "null" }.joined(separator: ",") + "]"
    case .texts(let texts): "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    case .boolean(let flag): "\(flag)"
    case .null: ""
    }
  }
}
