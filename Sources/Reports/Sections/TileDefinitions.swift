/// How the figures at the heads of the pages are counted; the sections say it at length.
enum TileDefinitions {
  private static let online = "Users seen in the 5 minutes before the last load of all users."

  private static let texts = [
    Report.Name.index: index, .usage: usage, .money: money, .limits: limits, .ratings: ratings,
    .users: users, .runs: runs,
  ]

  private static let index = [
    "online": online,
    "active": "People with an event of a limited feature on that day, each once.",
    "limit":
      "People with an attempt on that day that a limit or its cooldown blocked, each once, of "
      + "those who were active.",
    "sub-taps": "Events subscription_button_tapped of that day.",
    "new-subs":
      "People whom events called free or new before, and on that day a subscriber for the "
      + "first time.",
    "stars": "The mean of the ratings that were given in the app on that day.",
    "reads": "Document reads that Google bills, of the runs that began on that day.",
  ]
  private static let usage = [
    "active-users": "People with an event of a limited feature in the period, each once.",
    "taps": "Events button_tapped of the limited features.",
    "performed": "Events performed, by whoever was allowed.",
    "blocked":
      "Events blocked_limit_reached and blocked_cooldown. The share is that of people whom a "
      + "limit can block: their blocked attempts, of their taps.",
    "subscription-taps": "Events subscription_button_tapped.",
  ]
  private static let money = [
    "new-subscribers":
      "People whom events called free or new before, and in the period a subscriber for the "
      + "first time.",
    "through-the-limit":
      "Of them, those who saw a popup, were blocked, and tapped to subscribe after that.",
  ]
  private static let limits = [
    "profiles": "Profiles that were saved or used a limited feature, and the chosen one.",
    "free-to-use":
      "Pairs of a profile and a limited feature whose next tap is available or bypasses the "
      + "limit, of all pairs.",
    "cooling-down": "Pairs whose wait runs at the time of the report, of all pairs.",
    "at-limit": "Pairs with nothing left, whose next tap starts the wait, of all pairs.",
  ]
  private static let ratings = [
    "ratings": "Events of the period that give stars.",
    "mean-stars": "The sum of their stars, divided by their number.",
    "high-share": "Ratings that lead to the App Store, of all of the period.",
    "feedback": "All texts that the workspace holds: its own, and foreign ones of the app.",
    "prompts-shown": "Events rating_prompt_shown of the period.",
    "prompts-asked":
      "Of the people who met the conditions by their events of the dialog in the period, and of "
      + "the profiles that meet them now: those who saw the dialog.",
    "prompts-rated": "Dialogs of the period that were answered with stars, of those shown.",
    "store-mean": "The mean of all reviews that the workspace holds, whatever the period.",
  ]
  private static let users = [
    "online-now": online,
    "total": "Users that the workspace holds, as the loads have brought them.",
    "seen-hour": "Users last seen in the hour before the report.",
    "seen-day": "Users last seen in the 24 hours before the report.",
    "seen-week": "Users last seen in the 7 days before the report.",
    "seen-month": "Users last seen in the 30 days before the report.",
  ]
  private static let runs = [
    "on-time": "Jobs that are on time, running or on demand, and keep no other from running.",
    "runs": "Runs that began in the period, without those that found the workspace locked.",
    "success": "Runs that ended ok, partial or fresh, of these runs.",
    "reads": "Document reads that Google bills, of these runs.",
    "cost": "These reads by the price that each run recorded, else by the present one.",
  ]

  /// The same report, whose figures say what they count.
  static func added(to report: Report) -> Report {
    var report = report
    for place in report.headline.indices where report.headline[place].definition == nil {
      report.headline[place].definition = texts[report.name]?[report.headline[place].id]
    }
    return report
  }
}
