/// A request as it arrived at a `ScriptedServer`.
package struct ReceivedRequest: Sendable {
  package var method: String
  /// Path and query, as on the wire.
  package var target: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// Counts the server's connections from 1.
  package var connection: Int

  /// The first header of that name, compared without case.
  package subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var text: String { String(decoding: body, as: UTF8.self) }
}

extension ReceivedRequest {
  /// Reads the lines before the body; nil when they are no request.
  init?(head: [UInt8], connection: Int) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let start = lines.first?.split(separator: " ") ?? []
    guard start.count == 3 else { return nil }
    method = String(start[0])
    target = String(start[1])
    headers = lines.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    body = []
    self.connection = connection
  }

  var announcedLength: Int { self[header: "Content-Length"].flatMap { Int($0) } ?? 0 }
}
