import Firestore

/// What the server sends back, complete in memory.
struct Answer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// Whether it is one of the streamed arrays, which travel in chunks and have no length.
  var isStreamed = false

  init(json: JSON, status: Int = 200, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = [("Content-Type", "application/json; charset=UTF-8")] + headers
    body = json.serialized()
  }

  /// A streamed array: begins with `[`, and nothing follows its `]`.
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

  /// The error envelope of Google's APIs; inside an array as streaming calls may send it.
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
