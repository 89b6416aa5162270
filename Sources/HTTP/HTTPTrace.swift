/// One request that was sent, for a log; without headers, body, user, password and query, any of
/// which may hold secrets.
package struct HTTPTrace: Sendable {
  package let method: String
  package let address: String
  /// Scheme, host and port alone, for addresses whose path is a secret.
  package let origin: String
  /// Nil when no response came.
  package let status: Int?
  /// Why no response came; nil otherwise.
  package let failure: String?
  /// From the start to the last byte; nil without a response.
  package let duration: Duration?
  package let sentBytes: Int
  /// On the wire, without headers.
  package let receivedBytes: Int

  init(_ exchange: HTTPExchange, _ outcome: Result<HTTPResponse, any Error>) {
    method = exchange.request.method.rawValue
    address = "\(exchange.address)"
    origin = "\(exchange.address.scheme)://\(exchange.address.host)"
    sentBytes = exchange.request.body.count
    switch outcome {
    case .success(let response):
      (status, failure, duration) = (response.status, nil, response.duration)
      receivedBytes = response.receivedBytes
    case .failure(let error):
      (status, failure, duration) = (nil, "\(error)", nil)
      receivedBytes = 0
    }
  }

  /// `POST https://host/path: 200 in 0.034 s, 120 bytes sent, 4096 received`.
  package var line: String { line(naming: address) }

  /// The same without the path.
  package var lineWithoutPath: String { line(naming: origin) }

  private func line(naming address: String) -> String {
    guard let status, let duration else { return "\(method) \(address): \(failure ?? "failed")" }
    let milliseconds = Int(duration / .milliseconds(1))
    return "\(method) \(address): \(status) in \(milliseconds) ms, \(sentBytes) bytes sent, "
      + "\(receivedBytes) received"
  }
}
