import HTTP
import Jobs
import Model
import Reports
import Workspace

/// Checks whether hooks can be reached, without running one; see `docs/doctor.md#hooks`.
struct HooksCheck: DoctorCheck {
  static let name = "hooks"

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let catalog = try context.jobs?.catalog ?? context.listedJobs()
    let hooks = catalog.jobs.flatMap(Self.hooks)
    guard !hooks.isEmpty else { return ok("No job has a hook.") }
    var findings: [DoctorFinding] = []
    for origin in hooks.compactMap(\.origin).unique where !context.isOffline {
      findings += try await reach(origin, context.machine)
    }
    for word in hooks.compactMap(\.command).unique {
      let place = hooks.first { $0.command == word }?.place ?? "a hook"
      findings += await find(word, of: place, context.machine)
    }
    let count = NumberWords.counted(hooks.count, "hook")
    return findings.isEmpty ? ok("\(count). Doctor could check none of them.") : findings
  }

  /// Requests the server's first page: a request for the address itself would be a signal.
  private func reach(_ origin: String, _ machine: DoctorMachine) async throws -> [DoctorFinding] {
    do {
      _ = try await machine.head(origin + "/")
      return ok("\(origin) answers.", about: origin)
    } catch let error as CancellationError {
      throw error
    } catch let error as HTTPError {
      // An unknown name is a lasting fault; a silent server may be back tomorrow.
      var isLasting = !error.isTransient
      if case .resolveFailed = error { isLasting = true }
      return isLasting
        ? fail(error.description, about: origin) : warn(error.description, about: origin)
    }
  }

  /// Looks for a program; a missing one is not named, since its word may be a secret.
  private func find(
    _ word: String, of place: String, _ machine: DoctorMachine
  ) async -> [DoctorFinding] {
    guard await machine.output("command -v \(word)") != nil else {
      return fail(
        "The program that \(place) starts was not found.",
        "Install it, or write its whole path: PATH is short under cron.", about: place)
    }
    return ok("The command '\(word)' was found.", about: word)
  }

  /// Returns the hooks of a job, with those of its kind.
  private static func hooks(of job: Job) -> [HookTarget] {
    let own = HookEvent.allCases.map { ($0.rawValue, job.hooks[$0]) }
    let others = job.definition.hooks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return (own + others).compactMap { event, hook in
      hook.map { HookTarget($0, place: "\(event) of the job '\(job.name)'") }
    }
  }
}

struct HookTarget: Hashable {
  /// The scheme, host and port of a ping; the rest of its address may be a secret.
  var origin: String?
  /// The program of a command; nil when it is more than a plain word.
  var command: String?
  /// `on_failure of the job 'report'`.
  let place: String

  init(_ hook: Hook, place: String) {
    self.place = place
    switch hook.action {
    case .ping(let url): origin = WebAddress.origin(of: url)
    case .command(let text): command = Self.program(in: text)
    }
  }

  /// Returns the first word that does not set a variable.
  static func program(in command: String) -> String? {
    let words = command.split(whereSeparator: \.isWhitespace).drop { word in
      let name = word.prefix { $0 != "=" }
      return name.count < word.count && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    guard let word = words.first.map({ String($0) }), !word.hasPrefix("-"),
      word.isWord(with: "/._-+")
    else { return nil }
    return word
  }
}

/// Checks whether failures of jobs are reported to anybody; see `docs/doctor.md#checks`.
struct NotifyCheck: DoctorCheck {
  static let name = "notify"

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let config = try context.configured().config
    switch config.notify {
    case .mail(let address): return await mail(to: address, context.machine)
    case .hook: return ok("Incidents are sent to notify of firetally.yml.")
    case nil: break
    }
    if try context.workspace.folder.unsetHookVariables().contains(where: { $0.keyPath == "notify" })
    {
      return ok("Not checked: notify names a variable that is not set in this shell.")
    }
    let jobs = try context.listedJobs().inheriting(config.hooks).jobs
    if !jobs.isEmpty, jobs.allSatisfy({ $0.hooks[.onFailure] != nil }) {
      return ok("Every job has a hook on_failure.")
    }
    let installed = await InstalledSchedule(of: context.workspace.folder, on: context.machine)
    if let reader = installed.crontabs.compactMap(\.mailReader).first,
      await context.machine.output("command -v sendmail || test -x /usr/sbin/sendmail") != nil
    {
      return ok("cron mails \(reader) what goes wrong.")
    }
    return warn(
      "Nobody gets a message when a job fails.",
      "Say who gets messages in firetally.yml, such as `notify: mail:you@example.com`, and try it with "
        + "`firetally hooks test`.")
  }

  private func mail(to address: String, _ machine: DoctorMachine) async -> [DoctorFinding] {
    guard await machine.output("test -x /usr/sbin/sendmail") != nil else {
      return fail(
        "notify mails with /usr/sbin/sendmail, but there is no such program.",
        "Install a mail server or msmtp-mta.", about: address)
    }
    return ok("Incidents are mailed to \(address).", about: address)
  }
}
