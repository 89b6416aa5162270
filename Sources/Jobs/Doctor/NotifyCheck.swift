/// Whether somebody is told when a job fails; see `docs/doctor.md#checks`.
struct NotifyCheck: DoctorCheck {
  static let name = "notify"

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let config = try context.configured().config
    switch config.notify {
    case .mail(let address): return await mail(to: address, context.machine)
    case .hook: return ok("Incidents are told as notify in firetally.yml says.")
    case nil: break
    }
    let jobs = try context.listedJobs().inheriting(config.hooks).jobs
    if !jobs.isEmpty, jobs.allSatisfy({ $0.hooks[.onFailure] != nil }) {
      return ok("Every job has a hook on_failure.")
    }
    let installed = await InstalledSchedule(of: context.folder, on: context.machine)
    if let reader = installed.crontabs.compactMap(\.mailReader).first,
      await context.machine.output("command -v sendmail || test -x /usr/sbin/sendmail") != nil
    {
      return ok("cron mails \(reader) what goes wrong.")
    }
    return warn(
      "Nobody is told when a job fails.",
      "Name whom to tell in firetally.yml, such as `notify: mail:you@example.com`, and try it with "
        + "`firetally hooks test`.")
  }

  private func mail(to address: String, _ machine: DoctorMachine) async -> [DoctorFinding] {
    guard await machine.output("test -x /usr/sbin/sendmail") != nil else {
      return fail(
        "There is no /usr/sbin/sendmail, which sends the mail of notify.",
        "Install a mail server or msmtp-mta.", about: address)
    }
    return ok("Incidents are mailed to \(address).", about: address)
  }
}
