import Firestore

struct ServerResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// Whether it is a streamed array, which is sent in chunks without a length.
  var isStreamed = false
  /// Documents that a query found; 0 for other requests.
  var documentCount = 0
  /// The body; nil for a text.
  private var json: JSON?

  init(json: JSON, status: Int = 200, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = [("Content-Type", "application/json; charset=UTF-8")] + headers
    body = json.serialized()
    self.json = json
  }

  /// A streamed array: begins with `[` and ends with `]`, without white space around.
  init(streaming elements: [JSON]) {
    self.init(json: .array(elements))
    isStreamed = true
  }

  init(text: String, type: String, status: Int = 200) {
    self.status = status
    headers = [("Content-Type", type)]
    body = Array(text.utf8)
  }

  /// Lays JSON out with one member per line, for `prettyPrint=true`.
  mutating func layOut() {
    if let json { body = json.serialized(isIndented: true) }
  }

  /// The error envelope of Google's APIs, inside an array for streaming methods.
  init(_ refusal: RefusedRequest, insideArray: Bool = false) {
    let error = JSON.object([
      "error": .object([
        "code": .integer(refusal.code.httpStatus),
        "message": .string(refusal.message),
        "status": .string(refusal.code.rawValue),
      ])
    ])
    self.init(json: insideArray ? .array([error]) : error, status: refusal.code.httpStatus)
  }
}

struct ResponseDelivery: Sendable {
  enum Completion: Hashable, Sendable {
    case complete
    /// Closes the connection after this number of bytes of the body.
    case cut(afterBytes: Int)
    /// Closes the connection without a response.
    case silent
  }

  var response: ServerResponse
  var delay: Duration = .zero
  var completion = Completion.complete

  /// Applies `fault`; calls `perform`, which executes the request, at most once.
  init(_ fault: Fault?, performing perform: () -> ServerResponse) {
    switch fault {
    case nil: response = perform()
    case .status(let code, let message, let seconds, let insideArray):
      response = ServerResponse(RefusedRequest(code, message), insideArray: insideArray)
      if let seconds { response.headers.append(("Retry-After", "\(seconds)")) }
    case .garbage(let body): response = ServerResponse(text: body, type: "text/html; charset=UTF-8")
    case .drop:
      response = ServerResponse(text: "", type: "text/plain")
      completion = .silent
    case .delay(let duration):
      response = perform()
      delay = duration
    case .cut(let count):
      response = perform()
      completion = .cut(afterBytes: count)
    case .lostAnswer:
      response = perform()
      completion = .silent
    case .truncatedArray:
      response = perform()
      response.body.removeLast(max(1, response.body.count / 3))
    }
  }
}
