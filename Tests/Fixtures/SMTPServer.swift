import Foundation
import Glibc
import Synchronization

/// An SMTP server on a loopback port, without TLS, that takes each mail unless the test says
/// otherwise, and remembers what was said.
package final class SMTPServer: Sendable {
  private struct State {
    var lines: [String] = []
    var mails: [String] = []
  }

  private let socket: LoopbackSocket
  private let refusals: [String: String]
  private let state = Mutex(State())

  /// - Parameter refusals: answers to lines that begin so, such as `RCPT TO:<gone@`, of one line or
  ///   several; what a mail is answered with has the key `.`, and an empty answer is none.
  /// - Throws: `LoopbackSocket.Failure`.
  package init(refusals: [String: String] = [:]) throws {
    self.refusals = refusals
    socket = try LoopbackSocket()
    guard listen(socket.descriptor, 8) == 0 else { throw LoopbackSocket.Failure(errno: errno) }
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(socket.descriptor, nil, nil)
        guard connection >= 0 else { return }
        serve(connection)
        close(connection)
      }
    }
  }

  package var port: Int { socket.port }
  package var url: String { "smtp://127.0.0.1:\(port)" }

  /// What clients said outside of mails, in its order.
  package var lines: [String] { state.withLock(\.lines) }

  /// The mails that were sent, with CRLF after each line, also those that were refused.
  package var mails: [String] { state.withLock(\.mails) }

  /// One connection after the other.
  private func serve(_ connection: Int32) {
    var input: [UInt8] = []
    var isLoggingIn = false
    say("220 test ESMTP", on: connection)
    while let line = readLine(connection, &input) {
      state.withLock { $0.lines.append(line) }
      let answer =
        refusals.first { line.hasPrefix($0.key) }?.value
        ?? (isLoggingIn ? "235 2.7.0 welcome" : Self.answer(to: line))
      isLoggingIn = answer.hasPrefix("334")
      say(answer, on: connection)
      if line == "QUIT" { return }
      guard answer.hasPrefix("354") else { continue }
      var mail = ""
      while let line = readLine(connection, &input), line != "." {
        mail += (line.hasPrefix("..") ? String(line.dropFirst()) : line) + "\r\n"
      }
      state.withLock { [mail] in $0.mails.append(mail) }
      say(refusals["."] ?? "250 2.0.0 taken", on: connection)
    }
  }

  private static func answer(to line: String) -> String {
    switch line.prefix(4) {
    case "EHLO": "250-test\r\n250-AUTH PLAIN\r\n250 SIZE 1000000"
    case "AUTH": line == "AUTH PLAIN" ? "334 " : "235 2.7.0 welcome"
    case "DATA": "354 go on"
    case "QUIT": "221 bye"
    default: "250 ok"
    }
  }

  private func say(_ line: String, on connection: Int32) {
    guard !line.isEmpty else { return }
    let bytes = Array("\(line)\r\n".utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Nil when the client went away.
  private func readLine(_ connection: Int32, _ input: inout [UInt8]) -> String? {
    while true {
      if let end = input.firstRange(of: Array("\r\n".utf8)) {
        defer { input.removeFirst(end.upperBound) }
        return String(decoding: input[..<end.lowerBound], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return nil }
      input += buffer[..<count]
    }
  }
}
