import Glibc
import HTTP

/// The place of the token from a workload's identity provider: `credential_source`.
enum SubjectTokenSource: Sendable {
  enum Format: Sendable, Equatable {
    case text
    case json(field: String)
  }

  case file(path: String, Format)
  case url(String, headers: [(name: String, value: String)], Format)
  case executable(Executable)

  struct Executable: Sendable {
    let command: String
    let timeout: Duration
    /// The file in which the command stores its answer for the next time; nil for none.
    let outputFile: String?
  }

  /// The address that the token is fetched from; nil when it comes from this machine.
  var address: String? {
    if case .url(let url, _, _) = self { url } else { nil }
  }

  /// The timeouts in milliseconds; bounds and default are those of Google's libraries.
  private static let timeouts: ClosedRange<Int64> = 5_000...120_000
  private static let usualTimeout: Int64 = 30_000

  init(_ members: [String: JSON]) throws(WireError) {
    if let executable = try members.object("executable") {
      let milliseconds = try executable.integer("timeout_millis") ?? Self.usualTimeout
      guard Self.timeouts.contains(milliseconds) else {
        throw WireError("is not from 5 to 120 seconds", at: ["executable", "timeout_millis"])
      }
      self = .executable(
        Executable(
          command: try WireError.at("executable") { () throws(WireError) in
            try executable.requiredText("command")
          }, timeout: .milliseconds(milliseconds), outputFile: try executable.text("output_file")))
      return
    }
    let format = try Self.format(try members.object("format") ?? [:])
    if let path = try members.text("file") {
      self = .file(path: path, format)
    } else if let url = try members.text("url") {
      var headers: [(String, String)] = []
      for (name, value) in try members.object("headers") ?? [:] {
        headers.append((name, try value.text()))
      }
      self = .url(url, headers: headers, format)
    } else {
      throw WireError("is neither a file nor a url nor an executable")
    }
  }

  private static func format(_ members: [String: JSON]) throws(WireError) -> Format {
    switch try members.text("type") ?? "text" {
    case "text": return .text
    case "json": return .json(field: try members.requiredText("subject_token_field_name"))
    default: throw WireError("is neither text nor json", at: ["format", "type"])
    }
  }
}

extension SubjectTokenSource.Format {
  /// Returns the token in the bytes that were read; a problem is the end of a sentence.
  func token(in bytes: [UInt8]) throws(SubjectTokenProblem) -> String {
    var token = String(decoding: bytes, as: UTF8.self)
    if case .json(let field) = self {
      do {
        token = try JSON(parsing: bytes).members().requiredText(field)
      } catch {
        throw SubjectTokenProblem("it has no text named \(field)")
      }
    }
    while token.last?.isWhitespace == true { token.removeLast() }
    guard !token.isEmpty else { throw SubjectTokenProblem("it is empty") }
    return token
  }
}

/// The reason why a workload has no token, as the end of a sentence.
struct SubjectTokenProblem: Error, Hashable, Sendable {
  let clause: String

  init(_ clause: String) { self.clause = clause }
}

/// The output of a workload's command, as Google's libraries define it.
///
/// https://google.aip.dev/auth/4117
struct ExecutableResponse: Sendable {
  static let newestVersion: Int64 = 1
  private static let tokenMembers = [
    "urn:ietf:params:oauth:token-type:jwt": "id_token",
    "urn:ietf:params:oauth:token-type:id_token": "id_token",
    "urn:ietf:params:oauth:token-type:saml2": "saml_response",
  ]

  let token: String
  /// The expiry in Unix seconds; nil for a token that must not be stored.
  let expiry: Int64?

  /// - Throws: `SubjectTokenProblem` for a refusal, or for output that is not an answer.
  init(_ bytes: [UInt8], now: Timestamp, needsExpiry: Bool) throws(SubjectTokenProblem) {
    do {
      let members = try JSON(parsing: bytes).members()
      let version = try members.required("version") { json throws(WireError) in
        try json.integer()
      }
      guard version <= Self.newestVersion else {
        throw SubjectTokenProblem("its answer has version \(version), and 1 is the newest known")
      }
      guard try members.required("success", { json throws(WireError) in try json.flag() }) else {
        let (code, message) = (
          try members.requiredText("code"), try members.requiredText("message")
        )
        throw SubjectTokenProblem(
          "it was refused: \(QuotedText.clipped(code)), \(QuotedText.clipped(message))")
      }
      let type = try members.requiredText("token_type")
      guard let member = Self.tokenMembers[type] else {
        throw SubjectTokenProblem("its token_type \(QuotedText.clipped(type)) is not supported")
      }
      token = try members.requiredText(member)
      expiry = try members.integer("expiration_time")
    } catch let problem as SubjectTokenProblem {
      throw problem
    } catch {
      throw SubjectTokenProblem("its answer is not what it should be: \(error)")
    }
    guard expiry != nil || !needsExpiry else {
      throw SubjectTokenProblem("the kept answer in output_file has no expiration_time")
    }
    if let expiry, expiry <= now.microseconds / 1_000_000 {
      throw SubjectTokenProblem("its token has expired")
    }
  }
}
