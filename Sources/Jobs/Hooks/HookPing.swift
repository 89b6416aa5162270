import Foundation
import Model

/// The request of a hook that pings.
package struct HookPing: Hashable, Sendable {
  package let url: String
  /// What it posts; nil for a GET request.
  package let body: [UInt8]?
  package let contentType: String
  package let timeout: Duration

  init(_ hook: Hook, url: String, about report: HookReport) {
    self.url = Self.address(url, of: hook, about: report)
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
  var host: String { URL(string: url)?.host() ?? "its address" }

  /// With the job's name for `{job}`, and what a check's events have at the end of the path.
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

  /// The smallest message that all services take that speak as Slack does.
  private static func slackMessage(_ text: String) -> [UInt8] {
    // Slack reads these three as the beginning of its own markup.
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    do {
      return Array(try StoredJSON.text(of: ["text": escaped]).utf8)
    } catch {
      preconditionFailure("a text is always encodable: \(error)")
    }
  }
}
