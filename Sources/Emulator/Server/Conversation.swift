import NIOCore
import NIOHTTP1

/// One connection: collects a request, hands it to the desk, sends the reply, and waits for more.
final class Conversation: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Bytes of a request's body at most; `docs/firestore.md#limits`.
  static let bodyLimit = 11 << 20
  /// Bytes of a chunk of a streamed answer.
  private static let chunkSize = 64 << 10

  private let desk: Desk
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false

  init(_ desk: Desk) {
    self.desk = desk
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let buffer): collect(buffer)
    case .end: finish(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    self.head = head
    body.removeAll()
    isTooLarge = false
    guard head.headers["Expect"].contains("100-continue") else { return }
    let goOn = HTTPResponseHead(version: head.version, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
  }

  private func collect(_ buffer: ByteBuffer) {
    isTooLarge = isTooLarge || body.count + buffer.readableBytes > Conversation.bodyLimit
    if !isTooLarge { body.append(contentsOf: buffer.readableBytesView) }
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard let head else { return }
    self.head = nil
    let request = RequestRecord(head, body: body)
    let reply = isTooLarge ? Conversation.tooLarge : desk.reply(to: request)
    guard reply.delay > .zero else { return send(reply, to: head, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(reply.delay)) {
      if context.channel.isActive { self.send(reply, to: head, context) }
    }
  }

  private func send(
    _ reply: Reply, to request: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    switch reply.ending {
    case .silent: context.close(promise: nil)
    case .complete:
      write(reply.answer, bytes: reply.answer.body[...], to: request, context)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      if !request.isKeepAlive { context.close(promise: nil) }
    case .cut(let count):
      write(reply.answer, bytes: reply.answer.body.prefix(count), to: request, context)
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))))
        .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
  }

  /// Announces the whole answer, and writes only `bytes` of its body.
  private func write(
    _ answer: Answer, bytes: ArraySlice<UInt8>, to request: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var headers = HTTPHeaders(answer.headers)
    if answer.isStreamed {
      headers.add(name: "Transfer-Encoding", value: "chunked")
    } else {
      headers.add(name: "Content-Length", value: "\(answer.body.count)")
    }
    if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(
      version: request.version, status: HTTPResponseStatus(statusCode: answer.status),
      headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    var rest = bytes
    while !rest.isEmpty {
      let chunk = ByteBuffer(bytes: rest.prefix(Conversation.chunkSize))
      context.write(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
      rest = rest.dropFirst(Conversation.chunkSize)
    }
  }

  private static var tooLarge: Reply {
    Reply(nil) {
      Answer(.invalid("Request payload size exceeds the limit: \(bodyLimit) bytes."))
    }
  }
}

extension RequestRecord {
  init(_ head: HTTPRequestHead, body: [UInt8]) {
    let pairs = head.headers.map { ($0.name.lowercased(), $0.value) }
    self.init(
      method: head.method.rawValue, target: head.uri,
      headers: Dictionary(pairs) { _, last in last }, body: body)
  }
}
