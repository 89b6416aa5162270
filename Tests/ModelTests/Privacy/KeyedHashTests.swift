import Testing

@testable import Model

struct KeyedHashTests {
  /// The key of the paper's test vectors: the bytes 00 to 0f.
  private let hash = KeyedHash(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

  @Test(
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
      (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
    ] as [(Int, UInt64)])
  func `the values are those of the paper and its reference`(count: Int, expected: UInt64) {
    #expect(hash.of((0..<count).map { UInt8($0) }) == expected)
  }

  @Test func `a key comes back from its digits, and nothing else is a key`() {
    #expect(hash.hexadecimal == "0f0e0d0c0b0a09080706050403020100")
    #expect(KeyedHash(hexadecimal: hash.hexadecimal) == hash)
    let small = KeyedHash(low: 1, high: 0)
    #expect(KeyedHash(hexadecimal: small.hexadecimal) == small)
    let bad = [
      "", "0f", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
      String(repeating: "g", count: 32), "+" + String(repeating: "0", count: 31),
      String(repeating: "٠", count: 16),
    ]
    for text in bad { #expect(KeyedHash(hexadecimal: text) == nil, "\(text)") }
  }
}
