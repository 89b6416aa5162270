import Foundation
package import ReportWriters

/// A strict reader of RFC 4180, for tests.
package enum CSVReader {
  package struct Fault: Error {
    var what: String
  }

  package static func records(of bytes: [UInt8]) throws -> [[String]] {
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

extension JSONNode {
  /// The text that CSV should have for the value.
  package var csv: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
    case .boolean(let flag): "\(flag)"
    case .list(let nodes): "[" + nodes.map(\.csvElement).joined(separator: ",") + "]"
    case .null, .object: ""
    }
  }

  private var csvElement: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .null: "null"
    default: csv
    }
  }

  /// Whether a value that was read from JSON is this one.
  package func equals(_ value: Any?) -> Bool {
    switch self {
    case .text(let text): value as? String == text
    case .integer(let number): value as? Int == number
    case .decimal(let number): value as? Double == number
    case .boolean(let flag): value as? Bool == flag
    case .null: value is NSNull
    case .list(let nodes):
      (value as? [Any]).map {
        $0.count == nodes.count && zip(nodes, $0).allSatisfy { $0.equals($1) }
      }
        ?? false
    case .object(let members):
      (value as? [String: Any]).map { found in members.allSatisfy { $1.equals(found[$0]) } }
        ?? false
    }
  }
}
