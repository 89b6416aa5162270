import ArgumentParser
import Foundation
import Jobs
import Model
import ReportWriters
import Reports
import Store
import Workspace

struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback of low ratings, and mark what is done.",
    group: [List.self, Tag.self, Done.self, Themes.self, Export.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List feedback, newest first.",
      discussion: """
        Own feedback comes from `rating submit`. Foreign feedback comes from the app itself; a job \
        of kind sync-feedback fetches it.
        """,
      examples: [
        "firetally feedback list --stars 1", "firetally feedback list --state rejected",
        "firetally feedback list --open --theme crash",
      ])

    @Option(parsing: .unconditional, help: "Only feedback with this number of stars, 1 to 5.")
    var stars: Int?

    @Option(help: "Only feedback in this state of the outbox.")
    var state: OutboxItem.State?

    @Option(help: "Only feedback of this origin.")
    var origin: RatingsData.FeedbackEntry.Origin?

    @Flag(help: "Only feedback that is not marked as done.")
    var open = false

    @Option(
      help: ArgumentHelp("Only feedback of this theme.", valueName: "theme"),
      completion: NameCompletion.themes)
    var theme: String?

    @OptionGroup var count: CountOption
    @OptionGroup var global: GlobalOptions

    func validate() throws { try (1...5).check(stars, "--stars") }

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let themes = try opened.workspace.themes()
      if let theme { try FeedbackCommand.check(theme, in: themes) }
      // Themes are found by words, which the database does not store.
      let entries = try opened.readableStore().read {
        try $0.feedbackEntries(
          stars: stars, state: state, origin: origin, isOpen: open ? true : nil,
          limit: theme == nil ? count.fetched : nil)
      }
      var sorter = TextSorter(themes)
      let rows = Array(
        entries.lazy.map { (entry: $0, themes: sorter.themes(of: $0)) }
          .filter { row in theme.map(row.themes.contains) ?? true }.prefix(count.fetched))
      try invocation.output.print(
        rows.prefix(count.limit), as: "feedback", isCompact: true, Self.columns(opened))
      count.printMore(of: rows, on: invocation.output)
    }

    /// Foreign feedback has no state, and open feedback has no time.
    private static func columns(
      _ opened: OpenWorkspace
    ) -> [OutputColumn<(entry: RatingsData.FeedbackEntry, themes: [String])>] {
      [
        OutputColumn("WRITTEN") { opened.clock(Instant(unixSeconds: $0.entry.feedback.timestamp)) },
        OutputColumn("ID", "id") { $0.entry.id },
        OutputColumn("STARS", isNumber: true) { "\($0.entry.feedback.stars)" },
        OutputColumn("ORIGIN", "origin") { $0.entry.origin.rawValue },
        OutputColumn("STATE", "state") { $0.entry.state?.rawValue },
        OutputColumn(
          "DONE", "doneAt", value: { $0.entry.mark.doneAt },
          cell: { $0.entry.isOpen ? nil : "done" }),
        OutputColumn(
          "THEMES", "themes", value: { $0.themes },
          cell: { $0.themes.isEmpty ? nil : $0.themes.joined(separator: " ") }),
        OutputColumn("USER") { $0.entry.feedback.userId },
        OutputColumn("FEEDBACK") { $0.entry.feedback.text },
        .members { ["feedback": $0.entry.feedback, "remoteName": $0.entry.remoteName] },
      ]
    }
  }
}

extension RatingsData.FeedbackEntry.Origin: ExpressibleByArgument {}

extension FeedbackCommand {
  struct Tag: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tag",
      abstract: "Set the theme of a feedback text.",
      discussion: """
        `firetally feedback list` shows the ids, `firetally feedback themes` the themes.
        """,
      examples: [
        "firetally feedback tag own/1 crash", "firetally feedback tag own/1 --none",
        "firetally feedback tag own/1 --by-words",
      ])

    enum Choice: String, EnumerableFlag {
      case none, byWords

      static func help(for choice: Choice) -> ArgumentHelp? {
        switch choice {
        case .none: "It belongs to no theme."
        case .byWords: "Let its words decide again."
        }
      }
    }

    @Argument(help: ArgumentHelp("The id of the text.", valueName: "id"))
    var id: String

    @Argument(
      help: ArgumentHelp("The theme.", valueName: "theme"), completion: NameCompletion.themes)
    var theme: String?

    @Flag(exclusivity: .exclusive)
    var choice: Choice?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (theme == nil) != (choice == nil) else {
        throw ValidationError("Give a theme, --none or --by-words.")
      }
    }

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      if let theme { try FeedbackCommand.check(theme, in: try opened.workspace.themes()) }
      try opened.store().write { writer in
        let entry = try FeedbackCommand.entry(id, writer)
        try writer.setTheme(chosen, ofFeedback: entry.key, at: invocation.now)
      }
      try invocation.output.remark(
        "\(id): \(words).",
        json: [
          "message_type": "feedback_tag", "id": id, "theme": theme, "choice": choice?.rawValue,
        ])
    }

    private var chosen: FeedbackMark.ThemeChoice {
      switch choice {
      case .some(.none): .none
      case .byWords: .byWords
      case nil: theme.map { .chosen($0) } ?? .byWords
      }
    }

    private var words: String {
      switch chosen {
      case .none: "no theme"
      case .byWords: "its words decide"
      case .chosen(let theme): "the theme is \(theme)"
      }
    }
  }

  struct Done: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "done",
      abstract: "Mark feedback as done: all texts named, or none.",
      discussion: """
        `firetally feedback list --open` lists what is not done yet.
        """,
      examples: ["firetally feedback done own/1", "firetally feedback done own/1 --undo"])

    @Argument(help: ArgumentHelp("The ids of the texts.", valueName: "id"))
    var ids: [String]

    @Flag(help: "Make them open again.")
    var undo = false

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      try invocation.openWorkspace().store().write { writer in
        for id in ids {
          let entry = try FeedbackCommand.entry(id, writer)
          try writer.setDone(!undo, feedback: entry.key, at: invocation.now)
        }
      }
      try invocation.output.remark(
        "\(undo ? "Open again" : "Done"): \(ids.count).",
        json: ["message_type": "feedback_done", "ids": ids, "done": !undo])
    }
  }

  struct Themes: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "themes",
      abstract: "Print the themes in force with their words, as a themes.yml.",
      discussion: """
        Put the output into `themes.yml` beside `firetally.yml` and change it. With --json, one \
        line a theme.
        """,
      examples: ["firetally feedback themes", "firetally feedback themes --json"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let workspace = try invocation.openWorkspace().workspace
      guard invocation.output.isJSON else {
        return invocation.output.write(Array(try workspace.themesText().utf8))
      }
      for theme in try workspace.themes() {
        try invocation.output.print(
          json: [
            "message_type": "theme", "id": theme.id, "title": theme.title, "words": theme.terms,
          ])
      }
    }
  }

  static func check(_ theme: String, in themes: [Theme]) throws {
    let known = themes.map(\.id)
    guard known.contains(theme) else {
      throw CommandError(
        .usage,
        "There is no theme '\(theme)'.\(ClosestName.hint(for: theme, among: known)) "
          + "`firetally feedback themes` prints them.")
    }
  }

  fileprivate static func entry(
    _ id: String, _ reader: some Readable
  ) throws -> RatingsData.FeedbackEntry {
    let entries = try reader.feedbackEntries(named: id)
    guard let entry = entries.first else {
      throw CommandError(
        .usage,
        "There is no feedback '\(id)'. `firetally feedback list` shows the ids.")
    }
    guard entries.count == 1 else {
      let paths = entries.compactMap(\.remoteName).joined(separator: ", ")
      throw CommandError(
        .usage,
        "'\(id)' is the id of \(entries.count) documents; give the path of one: \(paths).")
    }
    return entry
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Export all feedback, oldest first.",
      discussion: """
        Writes to standard output, or with --to to a file that appears once it is complete.
        """,
      examples: [
        "firetally feedback export --to feedback.csv", "firetally feedback export --format ndjson",
      ])

    enum Format: String, ExpressibleByArgument, CaseIterable {
      case csv, json, ndjson
    }

    @OptionGroup var global: GlobalOptions

    @Option(help: "The output format.")
    var format = Format.csv

    @Option(help: ArgumentHelp("The file to write or replace.", valueName: "file"))
    var to: String?

    func run() throws {
      let (invocation, store) = try global.readableStore()
      guard let to else {
        _ = try write(from: store) { invocation.output.write($0) }
        return
      }
      let draft = try DraftFile(for: to)
      let count = try write(from: store) { bytes in
        try bytes.withUnsafeBytes { try draft.write($0) }
      }
      try draft.finish()
      try invocation.output.remark(
        "\(count) texts written to \(to)",
        json: ["message_type": "export", "file": to, "entries": count])
    }

    /// Passes on the bytes of each entry, and returns the number of entries.
    private func write(from store: Store, _ write: ([UInt8]) throws -> Void) throws -> Int {
      var count = 0
      try write(beginning)
      try store.read { reader in
        try reader.forEachFeedback { entry in
          try write(try bytes(of: entry, isFirst: count == 0))
          count += 1
        }
      }
      try write(end(isEmpty: count == 0))
      return count
    }

    private var beginning: [UInt8] {
      switch format {
      case .csv: FeedbackCSV.head
      case .json: Array("[".utf8)
      case .ndjson: []
      }
    }

    private func bytes(of entry: RatingsData.FeedbackEntry, isFirst: Bool) throws -> [UInt8] {
      switch format {
      case .csv: return FeedbackCSV.line(of: entry)
      case .json: return Array(((isFirst ? "\n" : ",\n") + (try line(entry))).utf8)
      case .ndjson: return Array((try line(entry) + "\n").utf8)
      }
    }

    private func end(isEmpty: Bool) -> [UInt8] {
      format == .json ? Array((isEmpty ? "]\n" : "\n]\n").utf8) : []
    }

    /// Returns all fields of an entry as a record of an export, not a message of the program.
    private func line(_ entry: RatingsData.FeedbackEntry) throws -> String {
      let feedback = entry.feedback
      return try StoredJSON.text(
        of:
          JSONObject.compact([
            "writtenAt": Instant(unixSeconds: feedback.timestamp), "stars": feedback.stars,
            "text": feedback.text, "userId": feedback.userId, "gender": feedback.gender,
            "country": feedback.country, "appVersion": feedback.appVersion, "origin": entry.origin,
            "state": entry.state, "document": entry.remoteName,
          ]))
    }
  }
}
