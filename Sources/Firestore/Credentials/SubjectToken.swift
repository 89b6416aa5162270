import HTTP
import Platform

/// The token of a workload, fetched from where its identity provider left it.
struct SubjectToken: Sendable {
  /// The variable that allows commands of credential files with the value `1`.
  static let permission = "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"
  private static let mostBytes = 1 << 20

  let account: ExternalAccount
  let http: HTTPClient
  let environment: [String: String]
  let now: @Sendable () -> Timestamp

  /// - Throws: `CredentialsError`, or a cancellation.
  func fetch() async throws -> String {
    switch account.source {
    case .file(let path, let format):
      return try problem(in: "the file \(path)") { try format.token(in: try bytes(of: path)) }
    case .url(let url, let headers, let format):
      let bytes = try await answer(of: url, headers)
      return try problem(in: "the answer of \(TokenEndpoint.host(url))") {
        try format.token(in: bytes)
      }
    case .executable(let executable): return try await token(of: executable)
    }
  }

  private func answer(
    of url: String, _ headers: [(name: String, value: String)]
  ) async throws -> [UInt8] {
    var all = HTTPHeaders()
    for header in headers { all.add(header.name, header.value, isSecret: true) }
    let request = HTTPRequest(
      .get, url, headers: all,
      timeouts: HTTPTimeouts(connect: .seconds(5), stall: .seconds(10), total: .seconds(20)),
      bodyLimit: Self.mostBytes)
    let host = TokenEndpoint.host(url)
    let response = try await TokenEndpoint(http: http, now: now).send(request, host: host)
    if CredentialsError.isBusy(response.status) {
      throw CredentialsError.malformedToken(host: host, problem: "HTTP \(response.status)")
    }
    guard response.isSuccess else {
      throw CredentialsError.noSubjectToken(
        place: "the answer of \(host)", problem: "its status is \(response.status)")
    }
    return response.body
  }

  private func token(of executable: SubjectTokenSource.Executable) async throws -> String {
    let place = "the command `\(CommandText.shown(executable.command))`"
    guard environment[Self.permission] == "1" else {
      throw CredentialsError.noSubjectToken(
        place: place,
        problem:
          "commands of credential files run only where \(Self.permission) is 1; set it if you "
          + "trust the file")
    }
    if let kept = kept(in: executable.outputFile) { return kept }
    var printed: [UInt8]
    do {
      printed = try await SecretCommand(
        executable.command, environment: environment.merging(variables(executable)) { $1 },
        limit: executable.timeout, longestOutput: TokenCommand.longestOutput
      ).output()
    } catch let failure as SecretCommand.Failure {
      throw CredentialsError.noSubjectToken(place: place, problem: "it \(failure.clause)")
    }
    return try problem(in: place) {
      // As in google-auth: a command that prints nothing has written its answer to the file.
      if printed.isEmpty, let path = executable.outputFile { printed = try bytes(of: path) }
      return try ExecutableResponse(printed, now: now(), needsExpiry: false).token
    }
  }

  /// Returns the answer of the command's last run, as long as its token is valid.
  private func kept(in path: String?) -> String? {
    guard let path else { return nil }
    do {
      return try ExecutableResponse(
        try bytes(of: path), now: now(), needsExpiry: true
      ).token
    } catch {
      return nil
    }
  }

  private func variables(_ executable: SubjectTokenSource.Executable) -> [String: String] {
    var variables = [
      "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": account.audience,
      "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": account.subjectTokenType,
      "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "0", "GOOGLE_EXTERNAL_ACCOUNT_REVOKE": "0",
    ]
    variables["GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL"] = account.impersonation?.email
    variables["GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE"] = executable.outputFile
    return variables
  }

  private func problem(
    in place: String, _ body: () throws -> String
  ) throws(CredentialsError) -> String {
    do {
      return try body()
    } catch let problem as SubjectTokenProblem {
      throw .noSubjectToken(place: place, problem: problem.clause)
    } catch {
      throw .noSubjectToken(place: place, problem: "\(error)")
    }
  }

  private func bytes(of path: String) throws(SubjectTokenProblem) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(RegularFile.Refusal) {
      bytes = try RegularFile.bytes(of: path, limit: Self.mostBytes)
    } catch {
      throw SubjectTokenProblem(error.reason)
    }
    guard let bytes else {
      throw SubjectTokenProblem("it has more than \(Self.mostBytes) bytes")
    }
    return bytes
  }
}
