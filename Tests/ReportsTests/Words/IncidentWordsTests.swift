import Fixtures
import Model
import Testing

@testable import Reports

/// Held against `docs/incidents.md#messages`.
struct IncidentWordsTests {
  private func incident(_ kind: JobIncident.Kind, isOver: Bool = false) -> JobIncident {
    var incident = JobIncident(
      kind, causes: ["Firestore"], sentence: "It is so.", jobs: ["a", "b"], beganAt: .morning,
      runs: 3)
    incident.seenAt = .morning + .seconds(7_200)
    incident.endedAt = isOver ? .morning + .seconds(7_200) : nil
    if isOver { incident.waiting = [] }
    return incident
  }

  @Test(arguments: JobIncident.Kind.allCases, JobIncident.Moment.allCases)
  func `each message is a headline without a stop and a sentence with one`(
    kind: JobIncident.Kind, moment: JobIncident.Moment
  ) {
    let words = IncidentWords(incident(kind, isOver: moment == .ended), moment)
    #expect(!words.headline.isEmpty && !words.headline.hasSuffix("."))
    #expect(words.line.hasSuffix(".") && !words.line.contains("\n"), "\(words.line)")
    let text = words.text(app: "Chat", listing: "firetally -C /srv/chat incidents")
    #expect(text.hasPrefix("Chat: \(words.headline)\n\n\(words.line)\n"))
    #expect(text.hasSuffix(" All that is open: firetally -C /srv/chat incidents\n"))
  }

  @Test func `what lasts says for how long, what is over after how many runs`() {
    #expect(
      IncidentWords(incident(.server), .lasts).headline
        == "no answer from Firestore, for 2 hours now")
    #expect(
      IncidentWords(incident(.failure), .lasts).line
        == "Since 2026-01-31T08:00:00Z, in 3 runs: It is so.")
    #expect(
      IncidentWords(incident(.failure, isOver: true), .ended).line
        == "Works again, after 3 runs that failed since 2026-01-31T08:00:00Z.")
    #expect(
      IncidentWords(incident(.lock, isOver: true), .ended).line
        == "The workspace is free again, after 2 hours.")
    #expect(
      IncidentWords(incident(.gap, isOver: true), .ended).headline == "nothing ran for 2 hours")
  }

  @Test(arguments: [
    (0.2, "1 s"), (1, "1 s"), (12.5, "13 s"), (59, "59 s"), (60, "1 min"), (61, "2 min"),
  ])
  func `less than a minute is told to the second`(seconds: Double, words: String) {
    var incident = incident(.lock, isOver: true)
    incident.endedAt = incident.beganAt + .seconds(seconds)
    #expect(
      IncidentWords(incident, .ended).line == "The workspace is free again, after \(words).")
  }

  @Test(arguments: [(86_340, 23), (86_340.01, 24), (86_400, 24)])
  func `a day that cron made a little shorter is a day`(seconds: Double, hours: Int) {
    var incident = incident(.server)
    incident.seenAt = incident.beganAt + .seconds(seconds)
    #expect(
      IncidentWords(incident, .lasts).headline
        == "no answer from Firestore, for \(hours) hours now")
  }

  @Test(arguments: [
    (true, "Was started again, after 2 hours."),
    (false, "Is no longer expected, after 2 hours."),
  ])
  func `the end of a late job leaves its name to whoever writes the line`(
    isScheduled: Bool, line: String
  ) {
    var late = incident(.late, isOver: true)
    if !isScheduled { late.unschedule() }
    #expect(IncidentWords(late, .ended).line == line)
  }

  @Test func `an incident of jobs that are gone does not say that they work`() {
    var incident = incident(.failure, isOver: true)
    incident.waiting = ["a"]
    let words = IncidentWords(incident, .ended)
    #expect(words.headline == "a is gone")
    #expect(
      words.line
        == "The job a was removed or renamed; what was wrong with it since "
        + "2026-01-31T08:00:00Z is over.")
  }
}
