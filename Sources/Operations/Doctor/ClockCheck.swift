import HTTP
import Jobs
import Model
import Store
import Workspace

/// Compares this machine's clock with the server's; see `docs/doctor.md#clock`.
struct ClockCheck: DoctorCheck {
  static let name = "clock"
  static let needsNetwork = true

  /// The difference above which there is a warning; `docs/doctor.md#clock`.
  static let suspicious = Duration.seconds(30)
  /// The difference above which Google refuses signed tokens; `docs/doctor.md#clock`.
  static let wrong = Duration.seconds(300)

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let firestore = try context.configured().jobs.services.firestore
    guard !context.hasOtherClock else { return ok("Not compared: --now replaces the clock.") }
    let asked = context.clock.now
    let server: Instant?
    do {
      server = try await firestore.serverTime()
    } catch let error as HTTPError {
      // Another check reports the fault of the network.
      return warn("Not compared. \(error)")
    }
    guard let server else { return ok("Not compared: \(firestore.host) does not say its time.") }
    return judge(server, asked: asked, answered: context.clock.now, host: firestore.host)
  }

  /// Judges the smallest possible difference, since the answer was made between the two times.
  private func judge(
    _ server: Instant, asked: Instant, answered: Instant, host: String
  ) -> [DoctorFinding] {
    // The header is truncated to the second.
    let latest = server + .seconds(1)
    let behind = max(.zero, server - answered)
    let ahead = max(.zero, asked - latest)
    let difference = max(behind, ahead)
    guard difference > Self.suspicious else {
      return ok("This machine's clock agrees with that of \(host).")
    }
    let seconds = difference.components.seconds
    let message =
      "This machine's clock is \(seconds) s \(ahead > .zero ? "ahead of" : "behind") that of "
      + "\(host). Tokens, schedules and reports go by it; from 5 minutes on Google refuses tokens."
    let advice = "Set it: `timedatectl set-ntp true`."
    return difference > Self.wrong ? fail(message, advice) : warn(message, advice)
  }
}
