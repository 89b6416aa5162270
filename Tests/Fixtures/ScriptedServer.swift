import Foundation
import Glibc
import Synchronization

/// A server on a loopback port that answers each request as the test says, byte by byte.
///
/// Every connection has a thread of its own. It stops when it is let go, so a test keeps it alive
/// with `withExtendedLifetime` or by asking for `requests` at the end.
package final class ScriptedServer: Sendable {
  package typealias Script = @Sendable (ReceivedRequest) -> ScriptedAnswer

  private let server: ServerState
  package let port: Int

  /// Calls `script` for each request, on the thread of its connection.
  package init(_ script: @escaping Script) throws {
    let socket = try LoopbackSocket()
    guard listen(socket.descriptor, 128) == 0 else { throw LoopbackSocket.Failure(errno: errno) }
    port = socket.port
    server = ServerState(socket, script)
    Thread.detachNewThread { [server] in server.acceptConnections() }
  }

  /// Gives the answers in the order in which requests arrive; the last one repeats.
  package convenience init(answers: [ScriptedAnswer]) throws {
    let count = Mutex(0)
    try self.init { _ in
      let index = count.withLock { count in
        defer { count += 1 }
        return min(count, answers.count - 1)
      }
      return answers[index]
    }
  }

  deinit {
    stop()
  }

  package var url: String { "http://127.0.0.1:\(port)" }

  /// Host and port, as in `FIRESTORE_EMULATOR_HOST`.
  package var host: String { "127.0.0.1:\(port)" }

  /// Everything received so far, in the order of arrival.
  package var requests: [ReceivedRequest] { server.requests }

  package var connectionCount: Int { server.connectionCount }

  /// Cuts every connection; later ones are refused.
  package func stop() {
    server.stop()
  }
}

/// A bound TCP socket on 127.0.0.1; while nobody listens on it, connecting to it is refused.
package final class LoopbackSocket: Sendable {
  package struct Failure: Error {
    package let errno: Int32
  }

  let descriptor: Int32
  package let port: Int

  package init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 ? getsockname(descriptor, generic, &length) : -1
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw Failure(errno: errno)
    }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit {
    close(descriptor)
  }

  package var url: String { "http://127.0.0.1:\(port)" }
}
