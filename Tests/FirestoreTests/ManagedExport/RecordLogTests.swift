import Fixtures
import Foundation
import Testing

@testable import Firestore

@Suite struct RecordLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The checksums that RFC 3720 lists.
  static let known: [([UInt8], UInt32)] = [
    (Array("123456789".utf8), 0xE306_9283), ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E), ([], 0),
  ]

  @Test(arguments: known)
  func `checksums are those of CRC-32C`(row: ([UInt8], UInt32)) {
    #expect(row.0.withUnsafeBytes(CRC32C.checksum) == row.1)
  }

  private func write(_ records: [[UInt8]]) throws -> (path: String, bytes: [UInt8]) {
    var writer = RecordLogWriter()
    for record in records { writer.append(record) }
    let bytes = writer.take()
    #expect(bytes.count == writer.count)
    return (try write(bytes: bytes), bytes)
  }

  private func write(bytes: [UInt8]) throws -> String {
    let path = folder.path(of: "log")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func read(_ path: String) throws -> [[UInt8]] {
    let reader = try RecordLogReader(path)
    var records: [[UInt8]] = []
    while try reader.next({ records.append(Array($0)) }) {}
    return records
  }

  /// Lengths of the first record that leave so many bytes of the block, and that fill several.
  @Test(arguments: [
    0, 1, 32_748, 32_749, 32_750, 32_754, 32_755, 32_761, 32_762, 65_521, 1_100_000,
  ])
  func `records of any length come back`(length: Int) throws {
    let records = [
      [UInt8](repeating: 7, count: length), [], Array("after".utf8),
      [UInt8](repeating: 9, count: 40_000),
    ]
    #expect(try read(write(records).path) == records)
  }

  @Test func `what is left of a block and holds no head is zero`() throws {
    let (path, bytes) = try write([[UInt8](repeating: 7, count: 32_768 - 7 - 6), [1]])
    #expect(bytes[32_762..<32_768].allSatisfy { $0 == 0 })
    #expect(bytes.count == 32_768 + 8)
    #expect(try read(path).map(\.count) == [32_755, 1])
    var wrong = bytes
    wrong[32_763] = 1
    #expect(throws: ExportError.self) { _ = try read(write(bytes: wrong)) }
  }

  @Test func `every turned bit is found`() throws {
    let (_, bytes) = try write([Array("first".utf8), Array("second".utf8)])
    for index in bytes.indices {
      for bit in 0..<8 {
        var wrong = bytes
        wrong[index] ^= 1 << UInt8(bit)
        #expect(throws: ExportError.self, "byte \(index), bit \(bit)") {
          _ = try read(write(bytes: wrong))
        }
      }
    }
  }

  @Test func `a file that ends inside a record is damaged, one that ends behind it is not`() throws
  {
    let (_, bytes) = try write([Array("first".utf8), [UInt8](repeating: 3, count: 33_000)])
    for count in [1, 6, 11, 13, 20, 32_768, bytes.count - 1] {
      let path = try write(bytes: Array(bytes.prefix(count)))
      #expect(throws: ExportError.self, "\(count)") { _ = try read(path) }
    }
    #expect(try read(write(bytes: Array(bytes.prefix(12)))) == [Array("first".utf8)])
    #expect(try read(write(bytes: [])) == [])
  }
}
