/// An answer and how it is to be sent.
struct Reply: Sendable {
  enum Ending: Hashable, Sendable {
    case complete
    /// The connection closes after so many bytes of the body.
    case cut(afterBytes: Int)
    /// The connection closes before a single byte.
    case silent
  }

  var answer: Answer
  var delay: Duration = .zero
  var ending = Ending.complete

  /// Carries out `fault`; `perform` does what the request asks for, and is called at most once.
  init(_ fault: Fault?, performing perform: () -> Answer) {
    switch fault {
    case nil: answer = perform()
    case .status(let code, let message, let seconds, let insideArray):
      answer = Answer(RefusedRequest(code, message), insideArray: insideArray)
      if let seconds { answer.headers.append(("Retry-After", "\(seconds)")) }
    case .garbage(let body): answer = Answer(text: body, type: "text/html; charset=UTF-8")
    case .drop:
      answer = Answer(text: "", type: "text/plain")
      ending = .silent
    case .delay(let duration):
      answer = perform()
      delay = duration
    case .cut(let count):
      answer = perform()
      ending = .cut(afterBytes: count)
    case .lostAnswer:
      answer = perform()
      ending = .silent
    case .truncatedArray:
      answer = perform()
      answer.body.removeLast(max(1, answer.body.count / 3))
    }
  }
}
