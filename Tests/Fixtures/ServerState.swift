import Foundation
import Glibc
import Synchronization

/// What the threads of a `ScriptedServer` share.
final class ServerState: Sendable {
  private struct State {
    var isStopped = false
    var open: Set<Int32> = []
    var connectionCount = 0
    var requests: [ReceivedRequest] = []
  }

  private let socket: LoopbackSocket
  private let script: ScriptedServer.Script
  private let state = Mutex(State())

  init(_ socket: LoopbackSocket, _ script: @escaping ScriptedServer.Script) {
    self.socket = socket
    self.script = script
  }

  var requests: [ReceivedRequest] { state.withLock(\.requests) }
  var connectionCount: Int { state.withLock(\.connectionCount) }
  var isStopped: Bool { state.withLock(\.isStopped) }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      shutdown(socket.descriptor, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  func acceptConnections() {
    while true {
      let descriptor = accept(socket.descriptor, nil, nil)
      guard descriptor >= 0, let number = admit(descriptor) else { return }
      Thread.detachNewThread {
        ServerConnection(descriptor, number: number, server: self).serve()
      }
    }
  }

  /// The number of the new connection; nil when the server has stopped.
  private func admit(_ descriptor: Int32) -> Int? {
    state.withLock { state in
      guard !state.isStopped else {
        close(descriptor)
        return nil
      }
      state.open.insert(descriptor)
      state.connectionCount += 1
      return state.connectionCount
    }
  }

  func release(_ descriptor: Int32) {
    state.withLock { state in
      state.open.remove(descriptor)
      close(descriptor)
    }
  }

  func answer(to request: ReceivedRequest) -> ScriptedAnswer {
    state.withLock { $0.requests.append(request) }
    return script(request)
  }
}
