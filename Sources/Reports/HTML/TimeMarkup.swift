import Model

/// An instant: words for people, ISO 8601 for machines.
struct TimeMarkup {
  let page: Page

  func write(_ instant: Instant) {
    page.out.element(
      "time", .plain("datetime", instant.iso8601), text: page.time.dateAndTime(instant))
  }
}
