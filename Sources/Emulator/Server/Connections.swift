import NIOCore
import Synchronization

/// The connections that are open.
final class Connections: Sendable {
  private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    open.withLock { $0[id] = channel }
    channel.closeFuture.whenComplete { _ in _ = self.open.withLock { $0.removeValue(forKey: id) } }
  }

  /// Closes all of them; one that is closing already is none of our business.
  func close() async {
    for channel in open.withLock({ Array($0.values) }) {
      channel.close(promise: nil)
      await channel.closeFuture.ended()
    }
  }
}

extension EventLoopFuture<Void> {
  /// Returns once the future is done, however it went.
  fileprivate func ended() async {
    await withCheckedContinuation { continuation in
      whenComplete { _ in continuation.resume() }
    }
  }
}
