import Fixtures
import Testing

@testable import Firestore

/// The scanner against the plain decoder, on random pages and on damaged ones.
@Suite("Scanner properties")
struct ScannerPropertyTests {
  private static let wanted = ["a", "b", "名", "quote\"d", "", "a"]

  @Test(arguments: FuzzCases.seeds(100, orMany: 200))
  func `sees what the decoder sees`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = Self.page(using: &random)
    let expected = try QueryResult(answer: bytes)
    let scan = try Scan(bytes, fields: Self.wanted)
    try #require(scan.documents.count == expected.documents.count, "seed \(seed)")
    for (scanned, document) in zip(scan.documents, expected.documents) {
      #expect(scanned.name == document.name, "seed \(seed)")
      #expect(scanned.updateTime == document.updateTime?.microseconds, "seed \(seed)")
      let fields = Self.wanted.map { document.fields[$0].map(Scan.Field.init) ?? .missing }
      #expect(scanned.fields == fields, "seed \(seed)")
    }
    #expect(scan.page.readTime == expected.readTime, "seed \(seed)")
    #expect(scan.page.lastName == expected.documents.last?.name, "seed \(seed)")
  }

  @Test(arguments: FuzzCases.seeds(20, orMany: 60))
  func `takes damaged bytes exactly when the decoder does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let page = Self.page(using: &random)
    for _ in 0..<40 {
      let damaged = Self.damaged(page, using: &random)
      let text = String(decoding: damaged, as: UTF8.self)
      switch Self.verdict(damaged) {
      case .broken:
        #expect(throws: (any Error).self, "seed \(seed): \(text)") {
          try Scan(damaged, fields: Self.wanted)
        }
      case .decodes(let result):
        let scan = try Scan(damaged, fields: Self.wanted)
        #expect(scan.documents.count == result.documents.count, "seed \(seed): \(text)")
        for (scanned, document) in zip(scan.documents, result.documents) {
          let fields = Self.wanted.map { document.fields[$0].map(Scan.Field.init) ?? .missing }
          #expect(scanned.fields == fields, "seed \(seed): \(text)")
        }
      case .validElsewhere: break
      }
    }
  }

  private enum Verdict {
    case broken
    case decodes(QueryResult)
    /// JSON whose fault may lie where the scanner need not look.
    case validElsewhere
  }

  private static func verdict(_ bytes: [UInt8]) -> Verdict {
    do {
      return .decodes(try QueryResult(answer: bytes))
    } catch is WireError {
      return .validElsewhere
    } catch {
      return .broken
    }
  }

  /// Changes, drops, doubles or inserts a byte or two, or cuts the end off.
  private static func damaged(_ page: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = page
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      let byte = bytes.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[position] = byte
      case 2: bytes.remove(at: position)
      case 3: bytes.insert(byte, at: position)
      case 4: bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
      default: if position > 0 { bytes.removeSubrange(position...) }
      }
    }
    return bytes
  }

  private static func page(using random: inout SeededGenerator) -> [UInt8] {
    let elements = (0..<Int.random(in: 1...4, using: &random)).map { index -> JSON in
      var fields = Value.randomFields(depth: 2, using: &random)
      for name in wanted where Bool.random(using: &random) {
        fields[name] = Value.random(depth: 1, using: &random)
      }
      let document = Document(
        name: "C/\(index)" + String.random(using: &random), fields: fields,
        updateTime: Bool.random(using: &random) ? .random(using: &random) : nil)
      return .object([
        "document": document.json, "readTime": .string(Timestamp.random(using: &random).rfc3339),
      ])
    }
    return spread(JSON.array(elements).serialized(), using: &random)
  }

  /// Puts white space between tokens, and escapes where there were none.
  private static func spread(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var spread: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      let letter = byte | 0x20
      if isInString, !isEscaped, letter >= 0x61, letter <= 0x7A,
        Int.random(in: 0..<12, using: &random) == 0
      {
        spread += Array("\\u00".utf8) + Array(String(byte, radix: 16).utf8)
        continue
      }
      spread.append(byte)
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
      if !isInString, ",:[{".utf8.contains(byte), Bool.random(using: &random) {
        spread.append([0x20, 0x0A, 0x0D, 0x09].randomElement(using: &random) ?? 0x20)
      }
    }
    return spread
  }
}
