/// One exchange on the way to an answer: the request as it is sent to one address.
struct Hop: Sendable {
  let request: HTTPRequest
  let address: WebAddress

  /// Throws `HTTPError.invalidRequest` for what must not be sent.
  init(_ request: HTTPRequest) throws {
    try request.checkHeaders()
    self.request = request
    address = try WebAddress(request.url)
  }

  private init(_ request: HTTPRequest, _ address: WebAddress) {
    self.request = request
    self.address = address
  }

  /// The exchange that the answer redirects to; nil when the answer is final.
  ///
  /// Throws `HTTPError.redirectRefused` for a redirect that is not followed.
  func next(after response: HTTPResponse) throws -> Hop? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["Location"]
    else { return nil }
    guard request.method.followsRedirects else {
      throw HTTPError.redirectRefused(
        host: address.host, reason: "a \(request.method.rawValue) is not sent elsewhere")
    }
    let target = try target(of: location)
    var redirected = request
    redirected.url = target.url
    if !target.hasOrigin(of: address) { redirected.headers = request.headers.withoutSecrets }
    return Hop(redirected, target)
  }

  private func target(of location: String) throws -> WebAddress {
    do {
      return try address.resolving(location)
    } catch {
      throw HTTPError.redirectRefused(
        host: address.host, reason: "its Location is not an http or https URL")
    }
  }
}
