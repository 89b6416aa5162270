/// The checksum of records in LevelDB logs: CRC-32C, masked; see `docs/managed-exports.md#files`.
enum CRC32C {
  /// The checksum of the bytes, masked so that a checksum may itself be data.
  static func masked(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let sum = checksum(bytes)
    return ((sum >> 15) | (sum << 17)) &+ 0xA282_EAD8
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var sum: UInt32 = ~0
      var index = 0
      // Eight bytes at a time, each with its own table.
      while index + 8 <= bytes.count {
        let low = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self).littleEndian ^ sum
        let high = bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self).littleEndian
        sum = tables[0x700 + Int(low & 0xFF)]
        sum ^= tables[0x600 + Int(low >> 8 & 0xFF)]
        sum ^= tables[0x500 + Int(low >> 16 & 0xFF)]
        sum ^= tables[0x400 + Int(low >> 24)]
        sum ^= tables[0x300 + Int(high & 0xFF)]
        sum ^= tables[0x200 + Int(high >> 8 & 0xFF)]
        sum ^= tables[0x100 + Int(high >> 16 & 0xFF)]
        sum ^= tables[Int(high >> 24)]
        index += 8
      }
      while index < bytes.count {
        sum = sum >> 8 ^ tables[Int((sum ^ UInt32(bytes[index])) & 0xFF)]
        index += 1
      }
      return ~sum
    }
  }

  /// Eight tables of 256 sums: of a byte followed by zero to seven zero bytes.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    for byte in UInt32(0)..<256 {
      var sum = byte
      for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 0 ? 0 : 0x82F6_3B78) }
      tables.append(sum)
    }
    for index in 0..<(7 * 256) {
      tables.append(tables[index] >> 8 ^ tables[Int(tables[index] & 0xFF)])
    }
    return tables
  }()
}
