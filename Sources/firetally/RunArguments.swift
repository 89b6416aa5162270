import Model

/// Reads the arguments of `run` as cron gives them, without the parser.
///
/// The parser asks the Swift runtime about every type that it meets, which takes a fifth of a start
/// that finds nothing to do; see `docs/decisions/023-a-start-that-does-less.md`.
enum RunArguments {
  /// The command's parts, which are put together once all words are read.
  private struct Parts {
    var command = RunCommand()
    var global = GlobalOptions()
    var turn = LockOptions()

    /// What the parser gives a command of which nothing was asked.
    init() {
      (command.jobs, command.all, command.due, command.withNeeds) = ([], false, false, false)
      (command.force, command.full, command.dryRun) = (false, false, false)
      (global.namedWorkspace, global.project, global.caFile) = (nil, nil, nil)
      (global.namedProfile, global.now, global.verbosity) = (nil, nil, 0)
      (global.quiet, global.logFormat, global.json, global.noColor) = (false, .text, false, false)
      turn.lockWait = nil
    }
  }

  private enum Meaning: Sendable {
    case flag(@Sendable (inout Parts) -> Void)
    /// Takes the next word.
    case text(@Sendable (inout Parts, String) -> Void)
    /// Takes the next word; false when the word is no such value.
    case value(@Sendable (inout Parts, String) -> Bool)
  }

  /// Every word with a dash that may be given without a value joined to it, but calls for help.
  static var names: Set<String> { Set(meanings.keys) }

  private static let meanings: [String: Meaning] = [
    "--all": .flag { $0.command.all = true },
    "--due": .flag { $0.command.due = true },
    "--with-needs": .flag { $0.command.withNeeds = true },
    "--force": .flag { $0.command.force = true },
    "--full": .flag { $0.command.full = true },
    "--dry-run": .flag { $0.command.dryRun = true },
    "--lock-wait": .value { parts, word in
      parts.turn.lockWait = Int(word)
      return parts.turn.lockWait != nil
    },
    "-C": .text { $0.global.namedWorkspace = $1 },
    "--workspace": .text { $0.global.namedWorkspace = $1 },
    "--project": .text { $0.global.project = $1 },
    "--cacert": .text { $0.global.caFile = $1 },
    "--profile": .text { $0.global.namedProfile = $1 },
    "--now": .value { parts, word in
      parts.global.now = Instant(argument: word)
      return parts.global.now != nil
    },
    "-q": .flag { $0.global.quiet = true }, "--quiet": .flag { $0.global.quiet = true },
    "-v": .flag { $0.global.verbosity += 1 }, "--verbose": .flag { $0.global.verbosity += 1 },
    "--log-format": .value { parts, word in
      guard let format = GlobalOptions.LogFormat(rawValue: word) else { return false }
      parts.global.logFormat = format
      return true
    },
    "--json": .flag { $0.global.json = true },
    "--no-color": .flag { $0.global.noColor = true },
  ]

  /// The command, validated; nil for any other command, a call for help, a mistake, and whatever
  /// only the parser understands, such as a value joined to its option or a word given twice.
  static func command(in arguments: [String]) -> RunCommand? {
    guard arguments.first == "run" else { return nil }
    var parts = Parts()
    var seen: Set<String> = []
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        parts.command.jobs.append(word)
        continue
      }
      guard seen.insert(word).inserted else { return nil }
      switch meanings[word] {
      case .flag(let set)?: set(&parts)
      case .text(let set)?:
        guard let text = value(&rest) else { return nil }
        set(&parts, text)
      case .value(let set)?:
        guard let text = value(&rest), set(&parts, text) else { return nil }
      case nil: return nil
      }
    }
    return try? validated(parts)
  }

  private static func value(_ rest: inout ArraySlice<String>) -> String? {
    rest.popFirst().flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  private static func validated(_ parts: Parts) throws -> RunCommand {
    var command = parts.command
    (command.global, command.turn) = (parts.global, parts.turn)
    try command.global.validate()
    try command.turn.validate()
    try command.validate()
    return command
  }
}
