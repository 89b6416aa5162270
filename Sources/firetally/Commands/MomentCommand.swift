import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct MomentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moment",
    abstract: "Log moments as the profile.",
    subcommands: [Add.self, List.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Queue a moment of 1 to 1000 characters for delivery.",
      discussion: """
        Needs no network: the next job of kind upload-outbox delivers it to the moments service. \
        Once the service has reported a reached limit, prints the paywall and exits with status 75.

        EXAMPLES:
          firetally moment add "Walked along the sea."
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The moment's text.")
    var text: String

    @Option(help: ArgumentHelp("How long ago it happened.", valueName: "seconds"))
    var timeAgo = 0

    func validate() throws {
      guard timeAgo >= 0 else { throw ValidationError("--time-ago takes 0 seconds or more.") }
    }

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      let answer = try session.addMoment(
        text, clientId: UUID().uuidString.lowercased(), timeAgo: timeAgo, now: invocation.now)
      switch answer {
      case .refused(let verdict):
        throw CommandError.badMoment(verdict.problem ?? "The moment cannot be accepted.")
      case .blocked(let paywall): throw CommandError.blockedMoment(paywall)
      case .queued(let moment, let outboxId):
        guard invocation.output.isJSON else {
          return invocation.output.remark("The moment waits in the outbox as item \(outboxId).")
        }
        try invocation.output.show(
          json: [
            "message_type": "moment", "moment": moment, "outboxId": outboxId, "trigger": nil,
            "banner": nil, "paywall": nil,
          ] as JSONObject)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the profile's moments, newest first, with their counts.",
      discussion: """
        EXAMPLES:
          firetally moment list
        """)

    @OptionGroup var global: GlobalOptions

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.store()
      let snapshot = try invocation.session(opened, store: store).momentSnapshot(
        now: invocation.now)
      let items = try store.read {
        try $0.outboxItems(kind: .moment, profile: global.profile, limit: limit)
      }
      let lines = items.map(MomentLine.init)
      guard !invocation.output.isJSON else {
        for line in lines { try invocation.output.show(json: line) }
        return try invocation.output.show(json: MomentCounts(snapshot))
      }
      invocation.output.show(Self.table(lines) + "\n\n" + MomentCounts(snapshot).text)
    }

    private static func table(_ lines: [MomentLine]) -> String {
      var table = TextTable(
        ["ID", "STATE", "SUBMITTED", "TRIES", "WAITS FOR", "TEXT"], rightAligned: [0, 3])
      for line in lines {
        table.add([
          String(line.id), line.state.rawValue, line.createdAt.iso8601, String(line.attempts),
          line.waitsFor ?? "-", line.text ?? "(cannot be read)",
        ])
      }
      return table.text
    }
  }
}

/// One moment with what it waits for.
private struct MomentLine: Encodable {
  let message_type = "moment"
  let id: Int64
  let state: OutboxItem.State
  let createdAt: Instant
  let attempts: Int
  let clientId: String?
  /// Nil when the payload cannot be read.
  let text: String?
  /// Nil when it waits for nothing but its turn.
  let waitsFor: String?
  let nextAttemptAt: Instant?
  let lastError: String?
  let deliveredAt: Instant?
  let remoteName: String?

  init(_ item: OutboxItem) {
    id = item.id
    state = item.state
    createdAt = item.createdAt
    attempts = item.attempts
    let moment = try? JSONDecoder().decode(Moment.self, from: Data(item.payload.utf8))
    clientId = moment?.clientId
    text = moment?.text
    nextAttemptAt = item.nextAttemptAt
    lastError = item.lastError
    deliveredAt = item.deliveredAt
    remoteName = item.remoteName
    waitsFor =
      switch item.state {
      case .parked: item.nextAttemptAt?.iso8601 ?? "an upgrade"
      case .queued: item.nextAttemptAt?.iso8601
      case .sending, .delivered, .rejected: nil
      }
  }
}

/// How many moments the profile has logged, beside what it is allowed.
private struct MomentCounts: Encodable {
  let message_type = "moment_counts"
  let today: String
  let countToday: Int
  let perDay: Int
  let countTotal: Int
  /// Nil: without a total limit.
  let total: Int?
  /// What the service has said that it allows; nil when it has said nothing.
  let serverDailyLimit: Int?
  let serverTotalLimit: Int?
  /// The service's own words about the limit that is reached; nil when it gave none.
  let serverMessage: String?
  let paywall: Paywall.Trigger?

  init(_ snapshot: MomentSnapshot) {
    today = snapshot.today.text
    countToday = snapshot.countToday
    perDay = snapshot.allowance.perDay(for: snapshot.tier)
    countTotal = snapshot.countTotal
    total = snapshot.allowance.total(for: snapshot.tier)
    serverDailyLimit = snapshot.reached.dailyLimit
    serverTotalLimit = snapshot.reached.totalLimit
    serverMessage = snapshot.block.flatMap { snapshot.reached.message(of: $0) }
    paywall = snapshot.paywall.shouldShow ? snapshot.paywall.trigger : nil
  }

  var text: String {
    var lines = [
      "today    \(countToday) of \(perDay) (\(today))",
      "in all   \(countTotal)\(total.map { " of \($0)" } ?? ", without a limit")",
    ]
    switch paywall {
    case .dailyLimitReached:
      lines.append("The moments service accepts no more today\(server(serverDailyLimit)).")
    case .totalLimitReached:
      lines.append("The moments service accepts no more\(server(serverTotalLimit)).")
    case .timelineRestricted: lines.append("Older moments are shown to subscribers only.")
    case .manual, nil: break
    }
    if let serverMessage { lines.append(PaywallText.line(serverMessage: serverMessage)) }
    return lines.joined(separator: "\n")
  }

  private func server(_ limit: Int?) -> String { limit.map { " than \($0)" } ?? "" }
}
