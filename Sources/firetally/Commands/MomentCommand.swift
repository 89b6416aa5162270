import App
import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct MomentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moment",
    abstract: "Log moments as the profile.",
    group: [Add.self, List.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Queue a moment of 1 to 1000 characters for delivery.",
      discussion: """
        Needs no network: the next job of kind upload-outbox delivers it to the moments service. \
        Once the service has reported a reached limit, prints the paywall and exits with status 75.
        """,
      examples: [#"firetally moment add "Walked along the sea.""#])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The moment's text.")
    var text: String

    @Option(
      parsing: .unconditional, help: ArgumentHelp("How long ago it happened.", valueName: "seconds")
    )
    var timeAgo = 0

    func validate() throws {
      guard timeAgo >= 0 else { throw ValidationError("--time-ago takes 0 seconds or more.") }
    }

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      let result = try session.addMoment(
        text, clientId: UUID().uuidString.lowercased(), timeAgo: timeAgo, now: invocation.now)
      switch result {
      case .refused(let problem): throw CommandError(.usage, problem)
      case .blocked(let paywall): throw CommandError.blocked(paywall)
      case .queued(let moment, let outboxId):
        try invocation.output.remark(
          "The moment waits in the outbox as item \(outboxId).",
          json: [
            "message_type": "moment", "moment": moment, "outboxId": outboxId, "trigger": nil,
            "banner": nil, "paywall": nil,
          ])
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the profile's moments, newest first, with their counts.",
      examples: ["firetally moment list"])

    @OptionGroup var global: GlobalOptions

    @OptionGroup var count: CountOption

    func run() throws {
      let (invocation, opened, session) = try global.openReadSession()
      let snapshot = try session.momentSnapshot(now: invocation.now)
      let items = try session.store.read {
        try $0.outboxItems(kind: .moment, profile: global.profile, limit: count.fetched)
      }
      try invocation.output.print(
        items.prefix(count.limit), as: "moment", isCompact: true, Self.columns(opened))
      count.printMore(of: items, on: invocation.output)
      let counts = MomentCounts(snapshot: snapshot)
      try invocation.output.print("\n" + counts.text, json: counts.line)
    }

    private static func columns(_ opened: OpenWorkspace) -> [OutputColumn<OutboxItem>] {
      [
        OutputColumn("ID", "id", isNumber: true) { $0.id },
        OutputColumn("STATE", "state") { $0.state.rawValue },
        .time("SUBMITTED", "createdAt", words: opened.clock) { $0.createdAt },
        OutputColumn("TRIES", "attempts", isNumber: true) { $0.attempts },
        OutputColumn(
          "WAITS FOR", "waitsFor", value: { wait(of: $0, in: \.iso8601) },
          cell: { wait(of: $0, in: opened.clock) }),
        OutputColumn("TEXT", "text", none: "(cannot be read)") { moment(in: $0)?.text },
        .members {
          [
            "clientId": moment(in: $0)?.clientId, "nextAttemptAt": $0.nextAttemptAt,
            "lastError": $0.lastError, "deliveredAt": $0.deliveredAt, "remoteName": $0.remoteName,
          ]
        },
      ]
    }

    /// Nil when the payload cannot be read.
    private static func moment(in item: OutboxItem) -> Moment? {
      try? StoredJSON.value(of: item.payload)
    }

    /// Returns when the item can be sent; nil when it only waits for its turn.
    private static func wait(of item: OutboxItem, in words: (Instant) -> String) -> String? {
      switch item.state {
      case .parked: item.nextAttemptAt.map(words) ?? "an upgrade"
      case .queued: item.nextAttemptAt.map(words)
      case .sending, .delivered, .rejected: nil
      }
    }
  }
}

/// The numbers of the profile's moments, with their limits.
private struct MomentCounts {
  let snapshot: MomentSnapshot

  private var perDay: Int { snapshot.allowance.perDay(for: snapshot.tier) }
  /// Nil when there is no total limit.
  private var total: Int? { snapshot.allowance.total(for: snapshot.tier) }
  /// The service's own message about the reached limit; nil when it sent none.
  private var serverMessage: String? { snapshot.block.flatMap { snapshot.reached.message(of: $0) } }
  private var paywall: Paywall.Trigger? { snapshot.dueTrigger }

  var line: JSONObject {
    .compact([
      "message_type": "moment_counts", "today": snapshot.today.text,
      "countToday": snapshot.countToday, "perDay": perDay, "countTotal": snapshot.countTotal,
      "total": total, "serverDailyLimit": snapshot.reached.dailyLimit,
      "serverTotalLimit": snapshot.reached.totalLimit, "serverMessage": serverMessage,
      "paywall": paywall,
    ])
  }

  var text: String {
    var lines = [
      "today    \(snapshot.countToday) of \(perDay) (\(snapshot.today.text))",
      "in all   \(snapshot.countTotal)\(total.map { " of \($0)" } ?? ", without a limit")",
    ]
    func limit(_ limit: Int?) -> String { limit.map { " than \($0)" } ?? "" }
    switch paywall {
    case .dailyLimitReached:
      lines.append(
        "The moments service accepts no more today\(limit(snapshot.reached.dailyLimit)).")
    case .totalLimitReached:
      lines.append("The moments service accepts no more\(limit(snapshot.reached.totalLimit)).")
    case .timelineRestricted: lines.append("Older moments are shown to subscribers only.")
    case .manual, nil: break
    }
    if let serverMessage { lines.append(PaywallText.line(serverMessage: serverMessage)) }
    return lines.joined(separator: "\n")
  }
}

struct PaywallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paywall",
    abstract: "Show the paywall: the offer to upgrade.",
    group: [Show.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the paywall in the profile's state, or in another.",
      discussion: """
        A subscriber sees a thank-you card instead of the offer. An offer leaves an event, a \
        preview does not.
        """,
      examples: ["firetally paywall show --trigger manual"])

    @OptionGroup var global: GlobalOptions

    @Option(help: "Preview the paywall of this trigger.")
    var trigger: Paywall.Trigger?

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      let now = invocation.now
      let snapshot =
        try (trigger == nil ? session.showPaywall(now: now) : session.momentSnapshot(now: now))
      let paywall = snapshot.paywall(trigger)
      // A subscriber gets no offer; a preview still shows it.
      let isThankYou = snapshot.tier.isSubscribed && trigger == nil
      try invocation.output.print(
        isThankYou ? PaywallText.thankYou(paywall) : PaywallText.block(paywall),
        json: .compact(
          paywall.members.merging([
            "message_type": "paywall", "card": isThankYou ? "thank_you" : "offer",
            // Whether a limit shows it to the profile now, regardless of the requested trigger.
            "shouldShow": snapshot.dueTrigger != nil,
            "header": isThankYou ? Paywall.thanks : paywall.header,
            "freeDescription": isThankYou ? nil : paywall.freeDescription,
          ])))
    }
  }
}

extension Paywall {
  var members: JSONObject {
    [
      "trigger": trigger, "banner": banner, "serverMessage": serverMessage, "header": header,
      "premiumDescription": premiumDescription, "freeDescription": freeDescription,
      "benefits": benefits,
    ]
  }
}

extension Paywall.Trigger: ExpressibleByArgument {}
