/// What a `ScriptedServer` does with one request, step by step.
///
/// After the last step the connection waits for its next request, unless a step ended it.
package struct ScriptedAnswer: Sendable {
  package enum Step: Sendable {
    case send([UInt8])
    case wait(Duration)
    /// Sends the bytes again and again until the client or the server goes away.
    case sendForEver([UInt8])
    /// Ends the connection in good order.
    case close
    /// Ends the connection with a reset.
    case reset
  }

  package var steps: [Step]

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  /// A whole answer with its `Content-Length`.
  package static func response(
    _ status: Int = 200, headers: [(String, String)] = [], body: [UInt8]
  ) -> ScriptedAnswer {
    let head = head(status, headers: headers + [("Content-Length", String(body.count))])
    return ScriptedAnswer([.send(head + body)])
  }

  package static func response(
    _ status: Int, headers: [(String, String)] = [], _ text: String = ""
  ) -> ScriptedAnswer {
    response(status, headers: headers, body: Array(text.utf8))
  }

  /// The text with status 200.
  package static func response(_ text: String) -> ScriptedAnswer {
    response(200, text)
  }

  package static func json(_ text: String, status: Int = 200) -> ScriptedAnswer {
    response(status, headers: [("Content-Type", "application/json")], text)
  }

  package static func redirect(_ status: Int = 302, to location: String) -> ScriptedAnswer {
    response(status, headers: [("Location", location)], "moved")
  }

  /// Sends the text as it is, HTTP or not.
  package static func raw(_ text: String) -> ScriptedAnswer {
    ScriptedAnswer([.send(Array(text.utf8))])
  }

  /// Status line and headers, with the empty line that ends them.
  package static func head(_ status: Int, headers: [(String, String)]) -> [UInt8] {
    let lines = headers.map { "\($0): \($1)\r\n" }.joined()
    return Array("HTTP/1.1 \(status) Scripted\r\n\(lines)\r\n".utf8)
  }

  /// The same answer with another step after it.
  package func then(_ step: Step) -> ScriptedAnswer {
    ScriptedAnswer(steps + [step])
  }

  /// The same answer after a pause.
  package func after(_ pause: Duration) -> ScriptedAnswer {
    ScriptedAnswer([.wait(pause)] + steps)
  }
}
