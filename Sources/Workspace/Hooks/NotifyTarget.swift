import Feeds
import Foundation

/// The recipient of a workspace's incident messages: docs/incidents.md#notify.
package enum NotifyTarget: Hashable, Sendable {
  case hook(Hook)
  case mail(address: String)

  /// The prefix of a mail address.
  private static let mailPrefix = "mail:"
  /// The host with webhooks that accept JSON.
  private static let slackHost = "hooks.slack.com"

  /// Parses `https://…`, `mail:you@example.com`, or else a command.
  ///
  /// It is nil for an invalid address, for a mail address without `mail:`, and for an address that
  /// would get messages unencrypted.
  package init?(_ text: String) {
    guard !Self.isMailAddress(text) else { return nil }
    if text.hasPrefix(Self.mailPrefix) {
      let address = String(text.dropFirst(Self.mailPrefix.count))
      guard MailMessage.isAddress(address) else { return nil }
      self = .mail(address: address)
    } else if text.contains("://"), !text.contains(where: \.isWhitespace) {
      guard WebAddress.isSecure(text) else { return nil }
      let isSlack = URL(string: text)?.host() == Self.slackHost
      self = .hook(Hook(action: .ping(url: text), body: isSlack ? .slack : .text))
    } else {
      self = .hook(Hook(action: .command(text), body: .text))
    }
  }

  /// Whether a text is a mail address, or begins with one, as a list of them does.
  package static func isMailAddress(_ text: String) -> Bool {
    guard let first = text.split(whereSeparator: { " ,;".contains($0) }).first else { return false }
    return MailMessage.isAddress(String(first)) && !first.contains("/")
  }

  /// The hook that sends the message; mail goes to the machine's own mail server.
  package var hook: Hook {
    switch self {
    case .hook(let hook): hook
    case .mail: Hook(action: .command("/usr/sbin/sendmail -t -oi"), body: .text)
    }
  }
}

extension MappingReader {
  /// Reads the key `notify`: an address, a command, or a mapping with the keys of a hook.
  package func notifyTarget(_ key: String) -> NotifyTarget? {
    guard let entry = entry(key) else { return nil }
    guard entry.scalar != .mapping else { return hook(key).map(NotifyTarget.hook) }
    guard let text = text(of: entry) else { return nil }
    let target = NotifyTarget(text)
    if target == nil {
      problem(
        entry,
        NotifyTarget.isMailAddress(text)
          ? "is a mail address, which is written behind 'mail:', such as mail:you@example.com"
          : "must be https://…, mail:you@example.com or a command; http:// is only for this machine"
      )
    }
    return target
  }
}
