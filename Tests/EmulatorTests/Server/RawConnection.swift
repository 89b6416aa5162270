import Glibc

/// A client that speaks HTTP byte by byte, since libraries hide what servers do at the end of it.
///
/// It reads slowly: its buffers are as small as the system allows.
struct RawConnection {
  private let descriptor: Int32

  /// Connects to a port of an address, which is that of the server.
  init(port: Int, address host: UInt32 = 0x7F00_0001) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var size: Int32 = 4096
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = host.bigEndian
    address.sin_port = UInt16(port).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        _ = connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends the request, and with `endsInput` says that there will be no other.
  ///
  /// - Parameters:
  ///   - request: its lines end with a mere line feed.
  ///   - body: follows the empty line.
  ///   - endsInput: whether this side of the connection is closed after it.
  /// - Returns: all that the server sends until it closes the connection.
  func exchange(_ request: String, body: String = "", endsInput: Bool = false) -> [UInt8] {
    exchange(
      bytes: Array((request.replacing("\n", with: "\r\n") + "\r\n" + body).utf8),
      endsInput: endsInput)
  }

  /// The same with a request that stands as it is sent.
  func exchange(bytes: [UInt8], endsInput: Bool = false) -> [UInt8] {
    defer { close(descriptor) }
    _ = bytes.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if endsInput { shutdown(descriptor, Int32(SHUT_WR)) }
    // The server is to fill its buffers before anything is read.
    usleep(100_000)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }
}
