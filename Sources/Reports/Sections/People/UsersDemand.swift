import Model
import Store

/// The section with what people look for, and how many users there are of it:
/// docs/people.md#demand.
enum UsersDemand {
  static func section(
    _ data: DemandData?, _ context: ReportContext
  ) -> Section {
    Section(
      id: "demand", title: "What people look for", lead: lead(data, context),
      blocks: (data?.people ?? 0) == 0 ? [] : [.definitions(definitions)])
  }

  private static func lead(_ data: DemandData?, _ context: ReportContext) -> String {
    guard let data, data.people > 0 else {
      return context.emptyText("Nobody tapped the filter in this period.")
    }
    let results =
      data.answered == 0
      ? "No event says how many users were found."
      : "\(NumberWords.grouped(data.empty)) of \(NumberWords.grouped(data.answered)) that tell their result "
        + "found nobody."
    let sample =
      data.sampledOneIn > 1
      ? " Of one in \(NumberWords.grouped(data.sampledOneIn)) ids, chosen by chance." : ""
    return "\(NumberWords.counted(data.people, "person", "people")) tapped the filter "
      + "\(NumberWords.counted(data.taps, "time")) in this period. \(results)\(sample)"
  }

  private static let definitions = [
    Definition(
      "People who look for it",
      "Of the people who tapped the filter; one may have looked for several."),
    Definition("Users of it", "Of the users that the last load brought, whoever is looking."),
    Definition(
      "Results", "Filters that were performed and say how many users they found."),
  ]
}
