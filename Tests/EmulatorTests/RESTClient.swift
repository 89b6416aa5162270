import Emulator
import Firestore
import HTTP

/// What a test says to a Firestore over HTTP: our server, or Google's emulator.
struct RESTClient: Sendable {
  let address: String
  let project: String
  private let http = HTTPClient()

  init(address: String, project: String = "demo") {
    self.address = address
    self.project = project
  }

  var database: String { "projects/\(project)/databases/(default)" }
  var root: String { "\(database)/documents" }

  struct Reply {
    var status: Int
    var bytes: [UInt8]
    var headers: HTTPHeaders

    var json: JSON { get throws { try JSON(parsing: bytes) } }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// `error.status` of Google's envelope; nil when there is none.
    var errorStatus: String? {
      get throws {
        guard case .string(let status)? = try json["error"]?["status"] else { return nil }
        return status
      }
    }

    /// The elements of a streamed array.
    var elements: [JSON] { get throws { try json.elements() } }

    /// The ids of the documents of a streamed answer, in their order.
    var ids: [String] {
      get throws {
        try elements.compactMap { try $0["document"].map { try Document(json: $0).id } }
      }
    }
  }

  /// `path` follows `/v1/projects/P/databases/(default)/documents` and is sent as it is.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
  ) async throws -> Reply {
    try await sendAbsolute(
      method, "/v1/projects/\(project)/databases/%28default%29/documents\(path)", body)
  }

  func sendAbsolute(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
  ) async throws -> Reply {
    var headers: HTTPHeaders = ["Authorization": "Bearer owner"]
    if body != nil { headers.add("Content-Type", "application/json") }
    let response = try await http.send(
      HTTPRequest(
        method, "http://\(address)\(path)", headers: headers, body: Array((body ?? "").utf8)))
    return Reply(status: response.status, bytes: response.body, headers: response.headers)
  }

  /// The `error.status` of the answer; nil when all is well.
  func refusal(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
  ) async throws -> String? {
    let reply = try await send(method, path, body)
    return try reply.errorStatus
  }

  func query(_ query: StructuredQuery, below parent: String = "") async throws -> Reply {
    let body = JSON.object(["structuredQuery": query.json]).serialized()
    return try await send(.post, "\(parent):runQuery", String(decoding: body, as: UTF8.self))
  }

  /// Commits the documents without preconditions.
  func put(_ documents: [Document]) async throws -> Reply {
    let writes = documents.map { Write(.update($0, mask: nil)).json }
    let body = JSON.object(["writes": .array(writes)]).serialized()
    return try await send(.post, ":commit", String(decoding: body, as: UTF8.self))
  }

  func document(_ path: String, _ fields: [String: Value]) -> Document {
    Document(name: "\(root)/\(path)", fields: fields)
  }
}
