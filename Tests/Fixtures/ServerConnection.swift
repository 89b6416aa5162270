import Glibc

/// One client's connection, served on its own thread.
struct ServerConnection {
  private let descriptor: Int32
  private let number: Int
  private let server: ServerState

  init(_ descriptor: Int32, number: Int, server: ServerState) {
    self.descriptor = descriptor
    self.number = number
    self.server = server
  }

  /// The first byte of a TLS client.
  private static let handshakeRecord: UInt8 = 0x16

  func serve() {
    defer { server.release(descriptor) }
    var input: [UInt8] = []
    while let request = readRequest(from: &input) {
      for step in server.answer(to: request).steps {
        guard perform(step) else { return }
      }
    }
  }

  /// False when the connection is over.
  private func perform(_ step: ScriptedAnswer.Step) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes)
    case .wait(let duration): return wait(duration)
    case .sendForEver(let bytes):
      while send(bytes) {}
      return false
    case .close: return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      return false
    }
  }

  private func wait(_ duration: Duration) -> Bool {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {
      guard !server.isStopped else { return false }
      usleep(10_000)
    }
    return true
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  /// Nil when the client went away first or speaks TLS; what follows the request stays in `input`.
  private func readRequest(from input: inout [UInt8]) -> ReceivedRequest? {
    let end = Array("\r\n\r\n".utf8)
    var range = input.firstRange(of: end)
    while range == nil {
      guard readMore(into: &input), input.first != Self.handshakeRecord else { return nil }
      range = input.firstRange(of: end)
    }
    guard let range,
      var request = ReceivedRequest(head: Array(input[..<range.lowerBound]), connection: number)
    else { return nil }
    let length = request.announcedLength
    while input.count < range.upperBound + length {
      guard readMore(into: &input) else { return nil }
    }
    request.body = Array(input[range.upperBound..<range.upperBound + length])
    input.removeFirst(range.upperBound + length)
    return request
  }

  private func readMore(into input: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    input += buffer[..<count]
    return true
  }
}
