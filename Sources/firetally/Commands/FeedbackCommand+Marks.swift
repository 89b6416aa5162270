import ArgumentParser
import Jobs
import Model
import Store

extension FeedbackCommand {
  struct Tag: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tag",
      abstract: "Choose the theme of a feedback text, whatever its words.",
      discussion: """
        `firetally feedback list` shows the ids, `firetally feedback themes` the themes.

        EXAMPLES:
          firetally feedback tag own/1 crash
          firetally feedback tag own/1 --none
          firetally feedback tag own/1 --by-words
        """)

    enum Choice: String, EnumerableFlag {
      case none, byWords

      static func help(for choice: Choice) -> ArgumentHelp? {
        switch choice {
        case .none: "It belongs to no theme."
        case .byWords: "Take the choice back: its words decide again."
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
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      if let theme { try FeedbackCommand.check(theme, in: try opened.workspace.themes()) }
      try opened.store().write { writer in
        let entry = try FeedbackCommand.entry(id, writer)
        try writer.setTheme(chosen, ofFeedback: entry.key, at: invocation.now)
      }
      guard invocation.output.isJSON else {
        return invocation.output.remark("\(id): \(words).")
      }
      try invocation.output.show(
        json: [
          "message_type": "feedback_tag", "id": id, "theme": theme, "choice": choice?.rawValue,
        ] as JSONObject)
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

        EXAMPLES:
          firetally feedback done own/1
          firetally feedback done own/1 --undo
        """)

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
      guard invocation.output.isJSON else {
        return invocation.output.remark("\(undo ? "Open again" : "Done"): \(ids.count).")
      }
      try invocation.output.show(json: JSONOutput(ids: ids, done: !undo))
    }

    private struct JSONOutput: Encodable {
      let message_type = "feedback_done"
      let ids: [String]
      let done: Bool
    }
  }

  struct Themes: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "themes",
      abstract: "Print the themes in force with their words, as a themes.yml.",
      discussion: """
        Put the output into `themes.yml` beside `firetally.yml` and change it. With --json, one \
        line a theme.

        EXAMPLES:
          firetally feedback themes
          firetally feedback themes --json
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let workspace = try invocation.openWorkspace().workspace
      guard invocation.output.isJSON else {
        return invocation.output.write(Array(try workspace.themesText().utf8))
      }
      for theme in try workspace.themes() { try invocation.output.show(json: JSONOutput(theme)) }
    }

    private struct JSONOutput: Encodable {
      let message_type = "theme"
      let id: String
      let title: String
      let words: [String]

      init(_ theme: Theme) {
        id = theme.id
        title = theme.title
        words = theme.terms
      }
    }
  }
}

extension FeedbackCommand {
  static func check(_ theme: String, in themes: [Theme]) throws {
    let known = themes.map(\.id)
    guard known.contains(theme) else {
      throw CommandError.wrongWord(
        "There is no theme '\(theme)'.\(ClosestName.hint(for: theme, among: known)) "
          + "`firetally feedback themes` prints them.")
    }
  }

  /// The one entry that an id means.
  fileprivate static func entry(
    _ id: String, _ reader: some Readable
  ) throws -> RatingsData.FeedbackEntry {
    let entries = try reader.feedbackEntries(named: id)
    guard let entry = entries.first else {
      throw CommandError.wrongWord(
        "There is no feedback '\(id)'. `firetally feedback list` shows the ids.")
    }
    guard entries.count == 1 else {
      let paths = entries.compactMap(\.remoteName).joined(separator: ", ")
      throw CommandError.wrongWord(
        "'\(id)' is the id of \(entries.count) documents; give the path of one: \(paths).")
    }
    return entry
  }
}
