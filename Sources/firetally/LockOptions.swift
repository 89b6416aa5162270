import ArgumentParser

/// How long a command that writes waits for its turn; see `docs/jobs.md#lock`.
struct LockOptions: ParsableArguments {
  @Option(help: "Seconds to wait for another process that writes to the workspace.")
  var lockWait = 10

  func validate() throws {
    guard (0...86_400).contains(lockWait) else {
      throw ValidationError("--lock-wait takes 0 to 86400 seconds.")
    }
  }

  var wait: Duration { .seconds(lockWait) }
}
