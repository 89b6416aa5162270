import Glibc

extension FileContents {
  /// Whether two files have the same bytes.
  package static func areEqual(
    _ first: String, _ second: String
  ) throws(WorkspaceError) -> Bool {
    let files = [
      try FileDescriptor.open(first, O_RDONLY, to: "read"),
      try FileDescriptor.open(second, O_RDONLY, to: "read"),
    ]
    var chunks = [[UInt8]](repeating: [UInt8](repeating: 0, count: 65_536), count: 2)
    while true {
      let counts = [
        try files[0].fill(&chunks[0], at: first), try files[1].fill(&chunks[1], at: second),
      ]
      guard counts[0] == counts[1], chunks[0][..<counts[0]] == chunks[1][..<counts[0]] else {
        return false
      }
      if counts[0] < chunks[0].count { return true }
    }
  }
}

extension FileDescriptor {
  /// Reads until the chunk is full; returns fewer bytes at the end alone.
  fileprivate func fill(
    _ chunk: inout [UInt8], at path: String
  ) throws(WorkspaceError) -> Int {
    var filled = 0
    while filled < chunk.count {
      let count = chunk.withUnsafeMutableBytes {
        Glibc.read(number, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannot("read", path) }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }
}
