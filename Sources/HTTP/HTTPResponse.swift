/// What a server answered; any status is an answer, also 404 and 500.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  /// Decoded: a gzip body is already unpacked.
  ///
  /// Libcurl does not notice a gzip stream that ends early inside a body of the announced length:
  /// whoever reads the body has to refuse one that is not whole.
  package var body: [UInt8]
  /// Bytes of the body on the wire, before unpacking.
  package var receivedBytes: Int

  package init(
    status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], receivedBytes: Int = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.receivedBytes = receivedBytes
  }

  /// Whether the status is 200 to 299.
  package var isSuccess: Bool { (200...299).contains(status) }
}
