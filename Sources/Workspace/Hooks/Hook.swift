import Foundation
import Model
import Platform
import Reports

/// The events that run hooks; the raw value is the key in the files.
package enum HookEvent: String, CaseIterable, Hashable, Sendable {
  case onStart = "on_start"
  case onSuccess = "on_success"
  case onFailure = "on_failure"
}

/// A message about a run to a server or a command; see `docs/running.md#hooks`.
package struct Hook: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// A request to an address; `{job}` in it is replaced by the job's name.
    case ping(url: String)
    /// A command for `/bin/sh`.
    case command(String)
  }

  /// The content that a ping posts or a command reads.
  package enum Body: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the ping is a GET request.
    case none
    /// The report of the run, as text.
    case text
    /// The report as the message of a Slack-compatible webhook.
    case slack
  }

  package var action: Action
  package var body = Body.none
  /// Whether the address is that of a check, which gets starts at `/start` and failures at `/fail`.
  package var isCheck = false
  /// The time limit of one attempt.
  package var timeout = Self.defaultTimeout
  /// The number of attempts after the first one.
  package var retries = 0
  /// Whether it runs once per outage, and once at its end, instead of at each run.
  package var isOncePerOutage = false

  /// The longest time of all attempts, including the pauses between them.
  package var longestTime: Duration { timeout * (retries + 1) + .seconds(60) }

  package static let defaultTimeout = Duration.seconds(30)
  package static let longestTimeout = Duration.seconds(300)
  package static let retryCounts = 0...5
  /// The key of the hook that a job of kind `settle` runs for each reset: docs/jobs/settle.md.
  package static let resetKey = "on_reset"
}

extension HookEvent {
  /// Returns the event at the end of a run.
  ///
  /// A blocked or interrupted job counts as failed; one that the lock refused has no event.
  package init?(_ moment: HookReport.Moment) {
    switch moment {
    case .started: self = .onStart
    case .ended(.ok), .ended(.partial), .ended(.fresh): self = .onSuccess
    case .ended(.failed), .ended(.blocked), .ended(.interrupted): self = .onFailure
    case .ended(.locked): return nil
    }
  }
}

/// Runs hooks; a failed hook causes a warning, never an error.
package struct HookRunner: Sendable {
  /// Sends a request.
  package typealias Ping = @Sendable (HookPing) async throws -> HookAnswer

  /// Receives each line that a command prints.
  package typealias Listener = @Sendable (_ line: String, _ job: String, _ run: Int64?) -> Void

  package struct Outcome: Hashable, Sendable {
    package let succeeded: Bool
    /// The result, as the end of a sentence: `got status 200 from hc-ping.com`.
    package let text: String
    /// Whether the same hook may succeed later.
    package var isTransient = true

    /// Descriptions of errors are sentences that name their subject.
    fileprivate static func failure(_ error: any Error) -> Outcome {
      let text = String(describing: error)
      return Outcome(
        succeeded: false, text: "failed: \(text.hasSuffix(".") ? text.dropLast() : text[...])")
    }

    /// Returns the warning for the hook's run, of any job for nil; nil on success.
    package func warning(_ key: String, of job: String?) -> String? {
      let name = job.map { "'\($0)'" } ?? ""
      return succeeded
        ? nil : "The \(key) hook of the job \(name) \(text). The job itself is not affected."
    }
  }

  /// The variables of the program's environment that a command gets: none that could be a secret.
  package static let passedVariables: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR",
  ]

  package let workspace: Workspace
  private let environment: [String: String]
  private let ping: Ping
  private var said: Listener
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(
    workspace: Workspace, environment: [String: String], ping: @escaping Ping,
    said: @escaping Listener,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.workspace = workspace
    self.environment = environment.filter { Self.passedVariables.contains($0.key) }
    self.ping = ping
    self.said = said
    self.sleep = sleep
  }

  /// Returns a runner with an additional listener for the lines of commands.
  package func alsoHeard(by listener: @escaping Listener) -> HookRunner {
    var runner = self
    runner.said = { [said] line, job, run in
      said(line, job, run)
      listener(line, job, run)
    }
    return runner
  }

  /// Runs a hook; repeats it after failures, up to its `retries`.
  package func run(_ hook: Hook, about report: HookReport) async -> Outcome {
    var answer = await attempt(hook, about: report)
    for retry in 0..<hook.retries where !answer.succeeded && answer.isTransient {
      do {
        try await sleep(.seconds(1 << retry))
      } catch {
        return answer
      }
      answer = await attempt(hook, about: report)
    }
    guard hook.retries > 0, !answer.succeeded, answer.isTransient else { return answer }
    return Outcome(succeeded: false, text: "\(answer.text) (\(hook.retries + 1) tries)")
  }

  private func attempt(_ hook: Hook, about report: HookReport) async -> Outcome {
    switch hook.action {
    case .ping(let url): await answer(to: HookPing(hook, url: url, about: report))
    case .command(let text): await answer(of: text, hook, about: report)
    }
  }

  private func answer(to request: HookPing) async -> Outcome {
    do {
      let answer = try await ping(request)
      let status = answer.status
      if request.isCheck, let reservation = answer.reservation {
        return Outcome(
          succeeded: false,
          text: "was not taken by \(request.host), which answers 'OK (\(reservation))'",
          isTransient: reservation == HookAnswer.rateLimited)
      }
      return Outcome(
        succeeded: (200..<400).contains(status), text: "got status \(status) from \(request.host)",
        // Any other 4xx status means that the request itself is wrong.
        isTransient: status >= 500 || status == 408 || status == 429)
    } catch {
      return .failure(error)
    }
  }

  private func answer(of text: String, _ hook: Hook, about report: HookReport) async -> Outcome {
    let command = ShellCommand(
      text: text, environment: environment.merging(report.environment) { $1 },
      folder: workspace.root, input: hook.body == .none ? [] : Array(report.text.utf8))
    do {
      let ending = try await command.run(
        timeout: hook.timeout, said: { [said] in said($0, report.job, report.run) }, sleep: sleep)
      return Outcome(
        succeeded: ending == .exited(status: 0), text: ending.words(after: hook.timeout))
    } catch is CancellationError {
      return Outcome(succeeded: false, text: "was stopped with the program")
    } catch {
      return .failure(error)
    }
  }
}

/// A server's answer to a ping.
package struct HookAnswer: Hashable, Sendable {
  package let status: Int
  private let body: [UInt8]

  /// The answer of Healthchecks.io to too many pings; later ones are accepted.
  package static let rateLimited = "rate limited"
  /// The largest number of characters of an answer in a message.
  private static let longestReservation = 60

  package init(status: Int, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }

  /// The reason why a check's server did not accept a ping despite status 200; nil if it did.
  ///
  /// It is the text in parentheses after OK, such as `not found`.
  ///
  /// https://healthchecks.io/docs/http_api/
  package var reservation: String? {
    let text = String(decoding: body.prefix(1_024), as: UTF8.self).lowercased()
    guard (200..<300).contains(status),
      let match = text.prefixMatch(of: /\s*ok\s*\(([^()]+)\)/)
    else { return nil }
    return VisibleText.line(String(match.1.prefix(Self.longestReservation)))
  }
}

package struct HookPing: Hashable, Sendable {
  package let url: String
  /// Whether the address is that of a check, whose server answers whether the check exists.
  package let isCheck: Bool
  /// The posted content; nil for a GET request.
  package let body: [UInt8]?
  package let contentType: String
  package let timeout: Duration

  package init(_ hook: Hook, url: String, about report: HookReport) {
    self.url = Self.address(url, of: hook, about: report)
    isCheck = hook.isCheck
    timeout = hook.timeout
    contentType =
      hook.body == .slack ? "application/json; charset=utf-8" : "text/plain; charset=utf-8"
    switch hook.body {
    case .none: body = nil
    case .text: body = Array(report.text.utf8)
    case .slack: body = Self.slackMessage(report.text)
    }
  }

  /// An address can hold a secret, so messages name its host only.
  package var host: String { URL(string: url)?.host() ?? "its address" }

  /// Returns the address with the job's name for `{job}`, and with the suffix of a check's event.
  private static func address(_ url: String, of hook: Hook, about report: HookReport) -> String {
    let url = url.replacing("{job}", with: report.job)
    let suffix =
      switch HookEvent(report.moment) {
      case .onStart: "/start"
      case .onFailure: "/fail"
      case .onSuccess, nil: ""
      }
    guard hook.isCheck, !suffix.isEmpty else { return url }
    let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
    let path = url[..<end].hasSuffix("/") ? url[..<end].dropLast() : url[..<end]
    return path + suffix + url[end...]
  }

  /// Returns the smallest message that all Slack-compatible services accept.
  private static func slackMessage(_ text: String) -> [UInt8] {
    // Slack would take these three characters for its own markup.
    let escaped = text.replacingScalars("&", with: "&amp;").replacingScalars("<", with: "&lt;")
      .replacingScalars(">", with: "&gt;")
    do {
      return Array(try StoredJSON.text(of: ["text": escaped]).utf8)
    } catch {
      preconditionFailure("a text is always encodable: \(error)")
    }
  }
}
