import ArgumentParser
import CStart
import Dispatch
import Foundation
import Synchronization

/// The life of the process around a command; see `docs/decisions/024-a-start-with-nothing.md`.
@main
enum Program {
  static func main() {
    // A broken pipe must not end the work: `StandardStream` remembers it.
    signal(SIGPIPE, SIG_IGN)
    do {
      let arguments = try arguments(of: .current)
      try canRunTasks ? runAsTask(arguments) : runAlone(arguments)
      try Output.checkWritten()
    } catch {
      Failure(error).exit()
    }
  }

  /// Runs a command in a process of a test's, which signals do not reach.
  ///
  /// - Returns: the exit status.
  static func run(in process: ProgramProcess) async -> Int32 {
    await ProgramProcess.$current.withValue(process) {
      do {
        try await perform(try arguments(of: process))
        try Output.checkWritten()
        return 0
      } catch {
        return Failure(error).report()
      }
    }
  }

  /// - Throws: `CommandError.noProcessFiles` where Swift cannot read the arguments, of which there is
  ///   at least the program's name.
  private static func arguments(of process: ProgramProcess) throws(CommandError) -> [String] {
    guard !process.arguments.isEmpty else { throw .noProcessFiles }
    return Array(process.arguments.dropFirst())
  }

  private static func perform(_ arguments: [String]) async throws {
    var command = try Firetally.command(in: arguments)
    if var asynchronous = command as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try command.run()
    }
  }

  /// Whether libdispatch may start threads of its own: where it cannot read their state, it ends the
  /// program as soon as it wants to.
  private static var canRunTasks: Bool {
    OpenFiles.areEnoughForTasks && access("/proc/self/stat", R_OK) == 0
  }

  /// Runs a command in a task, which the first SIGINT or SIGTERM cancels, so that it ends at a
  /// sound place; one that has not ended within 2 s, and a second signal, end the program.
  private static func runAsTask(_ arguments: [String]) throws {
    let ending = Mutex<(any Error)?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    let task = Task {
      do {
        try await perform(arguments)
      } catch {
        ending.withLock { $0 = error }
      }
      isOver.signal()
    }
    firetally_catch_signals()
    // A dispatch source would open files to hear of them.
    Thread.detachNewThread {
      firetally_wait_for_signal()
      task.cancel()
    }
    isOver.wait()
    if let error = ending.withLock(\.self) { throw error }
  }

  /// Runs a command that waits for nothing, on this thread; signals end it where it is.
  private static func runAlone(_ arguments: [String]) throws {
    var command = try Firetally.command(in: arguments)
    guard !(command is any AsyncParsableCommand) else {
      throw OpenFiles.areEnoughForTasks
        ? CommandError.noProcessFiles : .tooFewFiles(needed: OpenFiles.neededForTasks)
    }
    guard OpenFiles.room(upTo: OpenFiles.neededAlone) == OpenFiles.neededAlone else {
      throw CommandError.tooFewFiles(needed: OpenFiles.neededAlone)
    }
    try command.run()
  }
}

/// The open files that the limit of the process leaves room for (`ulimit -n`).
enum OpenFiles {
  /// What a command takes that makes requests: the database, a lock, timers, connections, job
  /// files.
  static let neededForTasks = 24

  /// What a database and its two companions take, and later a queue of GRDB's that ends:
  /// libdispatch disposes of it in a thread, for which it opens as many.
  static let neededAlone = 3

  /// Whether tasks may begin: the first one opens files, and the system's library ends the program
  /// where it cannot.
  static var areEnoughForTasks: Bool { room(upTo: neededForTasks) == neededForTasks }

  /// How many more files may be opened; counts no further than it has to.
  static func room(upTo most: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return most }
    var count = 0
    var number: Int32 = 0
    while count < most, rlim_t(number) < limit.rlim_cur {
      if fcntl(number, F_GETFD) < 0 { count += 1 }
      number += 1
    }
    return count
  }
}
