import ArgumentParser
import Store

/// How many rows of a list are printed.
struct CountOption: ParsableArguments {
  @Option(help: "How many, 1 to 10000.")
  var limit = 20

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit takes 1 to 10000.")
    }
  }
}

/// Which part of a list of users is shown.
struct PageOptions: ParsableArguments {
  /// The most rows that the app itself keeps in a list; `docs/loads.md#online-users`.
  static let mostRows = 250

  @Option(help: "Number of users, 1 to \(mostRows).")
  var limit = 10

  @Option(
    help: ArgumentHelp("Start after this cursor, from the line 'more'.", valueName: "cursor"))
  var after: UserCursor?

  func validate() throws {
    guard (1...Self.mostRows).contains(limit) else {
      throw ValidationError("--limit takes 1 to \(Self.mostRows).")
    }
  }
}

extension UserCursor: ExpressibleByArgument {
  /// `{unix seconds}:{row id}`.
  package init?(argument: String) {
    let parts = argument.split(separator: ":").map { Int64($0) }
    guard parts.count == 2, let seconds = parts[0], let id = parts[1] else { return nil }
    self.init(lastSeenAtSeconds: seconds, id: id)
  }

  var argument: String { "\(lastSeenAtSeconds):\(id)" }
}
