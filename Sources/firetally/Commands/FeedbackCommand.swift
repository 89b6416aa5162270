import ArgumentParser
import Jobs
import Model
import Reports
import Store

struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback of low ratings, own and the app's, and note what is done.",
    subcommands: [List.self, Tag.self, Done.self, Themes.self, Export.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List feedback, newest first.",
      discussion: """
        Own feedback comes from `rating submit`. Foreign feedback comes from the app itself; a job \
        of kind sync-feedback fetches it.

        EXAMPLES:
          firetally feedback list --stars 1
          firetally feedback list --state rejected
          firetally feedback list --open --theme crash
        """)

    @Option(help: "Only feedback with this number of stars, 1 to 5.")
    var stars: Int?

    @Option(help: "Only feedback in this state: queued, sending, delivered, parked or rejected.")
    var state: OutboxItem.State?

    @Option(help: "Only feedback of this origin: own or foreign.")
    var origin: RatingsData.FeedbackEntry.Origin?

    @Flag(help: "Only feedback that is not marked as done.")
    var open = false

    @Option(
      help: ArgumentHelp("Only feedback of this theme.", valueName: "theme"),
      completion: NameCompletion.themes)
    var theme: String?

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
      guard (1...5).contains(stars ?? 1) else { throw ValidationError("--stars takes 1 to 5.") }
    }

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let themes = try opened.workspace.themes()
      if let theme { try FeedbackCommand.check(theme, in: themes) }
      let filter = FeedbackFilter(
        stars: stars, state: state, origin: origin, isOpen: open ? true : nil)
      // Themes are found by words, which the database does not know.
      let entries = try opened.readableStore().read {
        try $0.feedbackEntries(filter, limit: theme == nil ? limit : nil)
      }
      var sorter = TextSorter(themes)
      let lines = entries.lazy.map { JSONOutput($0, themes: sorter.themes(of: $0)) }
        .filter { line in theme.map(line.themes.contains) ?? true }.prefix(limit)
      guard !invocation.output.isJSON else {
        for line in lines { try invocation.output.show(json: line) }
        return
      }
      invocation.output.show(Self.table(lines).text)
    }

    private static func table(_ lines: some Sequence<JSONOutput>) -> TextTable {
      var table = TextTable(
        ["WRITTEN", "ID", "STARS", "ORIGIN", "STATE", "DONE", "THEMES", "USER", "FEEDBACK"],
        rightAligned: [2])
      for line in lines {
        let feedback = line.feedback
        table.add([
          Instant(unixSeconds: feedback.timestamp).iso8601, line.id, String(feedback.stars),
          line.origin.rawValue, line.state?.rawValue ?? "-", line.doneAt == nil ? "-" : "done",
          line.themes.isEmpty ? "-" : line.themes.joined(separator: " "), feedback.userId,
          feedback.text,
        ])
      }
      return table
    }
  }

  private struct JSONOutput: Encodable {
    let message_type = "feedback"
    let feedback: Feedback
    let origin: RatingsData.FeedbackEntry.Origin
    /// Nil for foreign feedback.
    let state: OutboxItem.State?
    let remoteName: String?
    let id: String
    let themes: [String]
    /// Nil while it is open.
    let doneAt: Instant?

    init(_ entry: RatingsData.FeedbackEntry, themes: [String]) {
      self.themes = themes
      id = entry.id
      doneAt = entry.mark.doneAt
      feedback = entry.feedback
      origin = entry.origin
      state = entry.state
      remoteName = entry.remoteName
    }
  }
}

extension RatingsData.FeedbackEntry.Origin: ExpressibleByArgument {}
