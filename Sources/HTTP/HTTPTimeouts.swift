/// How long a request may take, part by part.
package struct HTTPTimeouts: Hashable, Sendable {
  /// From the start until the connection (with its TLS) stands, names resolved.
  package var connect: Duration
  /// Without a byte in either direction, waiting for the answer included.
  ///
  /// Whole seconds, rounded up; libcurl averages over five, so it may notice that much later.
  package var stall: Duration
  /// From the start to the last byte, anew for each redirect that is followed.
  package var total: Duration

  package init(
    connect: Duration = .seconds(10), stall: Duration = .seconds(60),
    total: Duration = .seconds(300)
  ) {
    self.connect = connect
    self.stall = stall
    self.total = total
  }
}

extension Duration {
  /// At least 1: zero would mean "for ever" to libcurl.
  var curlMilliseconds: Int {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Int(max(1, milliseconds))
  }

  /// Rounded up, at least 1.
  var curlSeconds: Int {
    Int(max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))
  }
}
