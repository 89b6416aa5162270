import Fixtures
import Model
import Testing

@testable import Feeds

/// The bounds of a column's values: docs/export.md#statistics.
@Suite struct ChunkStatisticsTests {
  private static func littleEndian(_ bits: UInt64) -> [UInt8] {
    withUnsafeBytes(of: bits.littleEndian) { Array($0) }
  }

  private static func statistics(ofTexts texts: [String]) -> ChunkStatistics {
    var statistics = ChunkStatistics()
    for text in texts { statistics.add(text: Array(text.utf8)[...]) }
    return statistics
  }

  @Test(
    arguments: [
      ([0], 0, 0), ([-1, 1], -1, 1), ([.min, .max], .min, .max), ([5, 3, 4], 3, 5),
      ([-2, -3], -3, -2),
    ] as [([Int64], Int64, Int64)])
  func `integers are ordered with their sign`(numbers: [Int64], least: Int64, greatest: Int64) {
    var statistics = ChunkStatistics()
    for number in numbers { statistics.add(number) }
    #expect(statistics.leastBytes == Self.littleEndian(UInt64(bitPattern: least)))
    #expect(statistics.greatestBytes == Self.littleEndian(UInt64(bitPattern: greatest)))
  }

  @Test(
    arguments: [
      ([1.5, -2.5], -2.5, 1.5), ([0.0], -0.0, 0.0), ([-0.0], -0.0, 0.0), ([-0.0, 0.0], -0.0, 0.0),
      ([0.0, 1], -0.0, 1), ([-1, -0.0], -1, 0.0), ([.nan, 2, .nan, 3], 2, 3),
      ([-.infinity, .infinity], -.infinity, .infinity),
      ([0x1p-1074, -0x1p-1074], -0x1p-1074, 0x1p-1074),
    ] as [([Double], Double, Double)])
  func `NaN is left out, and a zero is the widest of both`(
    numbers: [Double], least: Double, greatest: Double
  ) {
    var statistics = ChunkStatistics()
    for number in numbers { statistics.add(number) }
    #expect(statistics.leastBytes == Self.littleEndian(least.bitPattern))
    #expect(statistics.greatestBytes == Self.littleEndian(greatest.bitPattern))
  }

  @Test func `without a value, or of NaN alone, there are no bounds`() {
    var statistics = ChunkStatistics()
    statistics.addNull()
    statistics.add(Double.nan)
    #expect(statistics.leastBytes == nil && statistics.greatestBytes == nil)
    #expect(statistics.nulls == 1)
    // null_count alone: field 3, an i64 of 1, and the end.
    #expect(statistics.thrift.bytes == [0x36, 2, 0])
  }

  private static let beginning = String(repeating: "x", count: 62)

  @Test(
    arguments: [
      (["b", "a"], "a", "b"), (["", "a"], "", "a"), ([""], "", ""), (["é", "z"], "z", "é"),
      // By UTF-16 the second would be the first.
      (["\u{FFFF}", "\u{10000}"], "\u{FFFF}", "\u{10000}"),
      (["a", "ab", "a\0"], "a", "ab"),
      // Exactly as long as a bound, and one byte longer.
      ([beginning + "ab"], beginning + "ab", beginning + "ab"),
      ([beginning + "abc"], beginning + "ab", beginning + "ac"),
      // The bound would cut through é: it ends before it.
      ([beginning + "aéb"], beginning + "a", beginning + "b"),
      // Equal beginnings, of which one goes on.
      ([beginning + "ab", beginning + "abc"], beginning + "ab", beginning + "ac"),
      ([beginning + "abc", beginning + "ab"], beginning + "ab", beginning + "ac"),
      // Above the character before the surrogates comes the one behind them.
      ([beginning + "\u{D7FF}yy"], beginning, String(repeating: "x", count: 61) + "y"),
      (
        [String(repeating: "x", count: 61) + "\u{D7FF}yy"],
        String(repeating: "x", count: 61) + "\u{D7FF}",
        String(repeating: "x", count: 61) + "\u{E000}"
      ),
    ] as [([String], String, String)])
  func `texts are ordered by their bytes, and long ones have bounds`(
    texts: [String], least: String, greatest: String
  ) throws {
    let statistics = Self.statistics(ofTexts: texts)
    let (low, high) = (try #require(statistics.leastBytes), try #require(statistics.greatestBytes))
    #expect(String(decoding: low, as: UTF8.self) == least)
    #expect(String(decoding: high, as: UTF8.self) == greatest)
    for text in texts {
      #expect(!Array(text.utf8).lexicographicallyPrecedes(low))
      #expect(!high.lexicographicallyPrecedes(Array(text.utf8)))
    }
  }

  @Test func `above a long text of last characters there is none`() {
    let last = String(repeating: "\u{10FFFF}", count: 17)
    let statistics = Self.statistics(ofTexts: [last])
    #expect(statistics.greatestBytes == nil)
    #expect(statistics.leastBytes == Array(String(repeating: "\u{10FFFF}", count: 16).utf8))
  }

  @Test func `any texts lie between their bounds`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "é", "\u{7FF}", "\u{D7FF}", "\u{FFFF}", "\u{10FFFF}", "\0"]
    for _ in 0..<300 {
      let texts = (0..<4).map { _ in
        let length = Int.random(in: 55...70, using: &random)
        return (0..<length).map { _ in
          Int.random(in: 0...9, using: &random) > 0
            ? "x" : letters.randomElement(using: &random) ?? "a"
        }.joined()
      }
      let statistics = Self.statistics(ofTexts: texts)
      let low = statistics.leastBytes ?? [0xFF]
      for text in texts.map({ Array($0.utf8) }) {
        #expect(!text.lexicographicallyPrecedes(low), "seed \(seed)")
        if let high = statistics.greatestBytes {
          #expect(!high.lexicographicallyPrecedes(text), "seed \(seed)")
        }
      }
      #expect(String(validating: low, as: UTF8.self) != nil, "seed \(seed)")
    }
  }

  @Test func `the bounds of a cut text are no values`() {
    let whole = Self.statistics(ofTexts: ["a"]).thrift.bytes
    // null_count 0, max "a", min "a", both exact.
    #expect(whole == [0x36, 0, 0x28, 1, 0x61, 0x18, 1, 0x61, 0x11, 0x11, 0])
    let cut = Self.statistics(ofTexts: ["a", String(repeating: "x", count: 65)]).thrift.bytes
    #expect(cut.suffix(3) == [0x12, 0x11, 0])
  }

  @Test func `a column of bytes has the number of its NULLs alone`() {
    var chunk = ParquetChunk(.blob)
    SampleCell.with([.blob([1, 2])]) { row in
      let isTaken = chunk.append(row[0]) && chunk.append(.null)
      #expect(isTaken)
    }
    #expect(chunk.statistics.nulls == 1)
    #expect(chunk.statistics.leastBytes == nil && chunk.statistics.greatestBytes == nil)
  }
}
