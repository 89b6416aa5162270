import NIOCore
import NIOHTTP1
import Synchronization

/// Serves one connection: collects a request, routes it, sends the response, and repeats.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The maximum size of a request's body in bytes; `docs/firestore.md#limits`.
  static let bodyLimit = 11 << 20
  /// The size of a response's chunks in bytes.
  private static let chunkSize = 64 << 10

  /// Pauses after which a connection is closed that waits for another request.
  private static let mostIdlePauses = 5

  private let router: RequestRouter
  /// Pauses in a row since the last answer.
  private var idlePauses = 0
  /// Whether a request came and was answered.
  private var hasAnswered = false
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// Whether a response is being sent.
  private var isAnswering = false
  /// Whether the client has closed its side, so that the connection closes after the response.
  private var isInputClosed = false

  init(_ router: RequestRouter) {
    self.router = router
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    idlePauses = 0
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let buffer): collect(buffer)
    case .end: finish(context)
    }
  }

  /// A client may close its side after its request and still read the response.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      if !isAnswering { context.close(promise: nil) }
    case IdleStateHandler.IdleStateEvent.read: pause(context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Closes a connection whose client has gone without a word, or is silent within a request.
  private func pause(_ context: ChannelHandlerContext) {
    guard !isAnswering else { return }
    idlePauses += 1
    let mayWait = hasAnswered && head == nil && idlePauses < Self.mostIdlePauses
    if !mayWait { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    self.head = head
    body.removeAll()
    isTooLarge = false
    let expectations = head.headers[canonicalForm: "Expect"].map { $0.lowercased() }
    guard head.version.isModern, expectations.contains("100-continue") else { return }
    let goOn = HTTPResponseHead(version: head.version, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
  }

  private func collect(_ buffer: ByteBuffer) {
    isTooLarge = isTooLarge || body.count + buffer.readableBytes > ConnectionHandler.bodyLimit
    if !isTooLarge { body.append(contentsOf: buffer.readableBytesView) }
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard let head else { return }
    self.head = nil
    isAnswering = true
    let delivery = isTooLarge ? ConnectionHandler.tooLarge : answer(to: head)
    guard delivery.delay > .zero else { return send(delivery, to: head, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delivery.delay)) {
      if context.channel.isActive { self.send(delivery, to: head, context) }
    }
  }

  private func answer(to head: HTTPRequestHead) -> ResponseDelivery {
    do {
      return router.respond(to: try RequestRecord(head, body: body))
    } catch {
      return ResponseDelivery(nil) { ServerResponse(error) }
    }
  }

  private func send(
    _ delivery: ResponseDelivery, to request: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    switch delivery.completion {
    case .silent: context.close(promise: nil)
    case .complete:
      write(delivery.response, bytes: delivery.response.body[...], to: request, context)
      // Closing earlier would lose bytes that are still in flight.
      context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
        self.isAnswering = false
        self.hasAnswered = true
        if !request.isKeepAlive || self.isInputClosed { context.close(promise: nil) }
      }
    case .cut(let count):
      write(delivery.response, bytes: delivery.response.body.prefix(count), to: request, context)
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))))
        .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
  }

  /// Writes the head of the complete response, but only `bytes` of its body.
  private func write(
    _ response: ServerResponse, bytes: ArraySlice<UInt8>, to request: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    let head = HTTPResponseHead(
      version: request.version, status: HTTPResponseStatus(statusCode: response.status),
      headers: HTTPHeaders(of: response, to: request))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    var rest = request.method == .HEAD ? [] : bytes
    while !rest.isEmpty {
      let chunk = ByteBuffer(bytes: rest.prefix(ConnectionHandler.chunkSize))
      context.write(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
      rest = rest.dropFirst(ConnectionHandler.chunkSize)
    }
  }

  private static var tooLarge: ResponseDelivery {
    ResponseDelivery(nil) {
      ServerResponse(.invalid("Request payload size exceeds the limit: \(bodyLimit) bytes."))
    }
  }
}

extension HTTPHeaders {
  /// Only HTTP/1.1 has chunks and keeps connections open by default.
  fileprivate init(of response: ServerResponse, to request: HTTPRequestHead) {
    self.init(response.headers)
    let isModern = request.version.isModern
    if response.isStreamed, isModern {
      add(name: "Transfer-Encoding", value: "chunked")
    } else {
      add(name: "Content-Length", value: "\(response.body.count)")
    }
    if !request.isKeepAlive {
      add(name: "Connection", value: "close")
    } else if !isModern {
      add(name: "Connection", value: "keep-alive")
    }
  }
}

extension HTTPVersion {
  /// Whether it is HTTP/1.1 or later, with chunks and interim responses.
  var isModern: Bool { (major, minor) >= (1, 1) }
}

final class OpenConnections: Sendable {
  private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    open.withLock { $0[id] = channel }
    channel.closeFuture.whenComplete { _ in _ = self.open.withLock { $0.removeValue(forKey: id) } }
  }

  /// Closes all connections and waits for their ends.
  func close() async {
    for channel in open.withLock({ Array($0.values) }) {
      channel.close(promise: nil)
      await channel.closeFuture.ended()
    }
  }
}

extension EventLoopFuture<Void> {
  /// Waits until the future succeeds or fails.
  fileprivate func ended() async {
    await withCheckedContinuation { continuation in
      whenComplete { _ in continuation.resume() }
    }
  }
}
