import Firestore

struct ServerResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// Whether it is a streamed array, which is sent in chunks without a length.
  var isStreamed = false
  /// Documents that a query found; 0 for other requests.
  var documentCount = 0

  init(json: JSON, status: Int = 200, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = [("Content-Type", "application/json; charset=UTF-8")] + headers
    body = json.serialized()
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

  var isJSON: Bool { headers.first?.value.hasPrefix("application/json") == true }

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

/// JSON with one member per line, for `prettyPrint=true`.
enum PrettyPrint {
  /// Lays out compact JSON; leaves strings unchanged.
  static func layOut(_ compact: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(compact.count * 2)
    var (depth, isInString, isEscaped) = (0, false, false)
    for (index, byte) in compact.enumerated() {
      if isInString {
        bytes.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        bytes.append(byte)
        let isEmpty = index + 1 < compact.count && compact[index + 1] == byte + 2
        depth += 1
        if !isEmpty { startLine(&bytes, depth) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if compact[index - 1] != byte - 2 { startLine(&bytes, depth) }
        bytes.append(byte)
      case UInt8(ascii: ","):
        bytes.append(byte)
        startLine(&bytes, depth)
      case UInt8(ascii: ":"): bytes += [byte, UInt8(ascii: " ")]
      default:
        bytes.append(byte)
        isInString = byte == UInt8(ascii: "\"")
      }
    }
    return bytes
  }

  private static func startLine(_ bytes: inout [UInt8], _ depth: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
