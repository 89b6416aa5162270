package import Model
package import Store

/// What a report reads of the ledger, alone.
extension Reader {
  /// Days follow each other, oldest first, and are known as far as they are over.
  package func usageData(
    _ context: ReportContext, of userId: String? = nil,
    days: [Range<Instant>] = []
  ) throws -> UsageData {
    try withRelations {
      let facts = try dayFacts(days, at: context.now, of: userId)
      let pass = try ledgerPass(context, days: facts, changes: [], of: userId)
      return try usageData(pass)
    }
  }

  package func peopleReading(
    _ context: ReportContext, changes: [SettingChange], days facts: [DayFacts] = [],
    oneIn: Int? = nil
  ) throws -> PeopleReading {
    try withRelations {
      try peopleReading(
        try ledgerPass(context, days: facts, changes: changes, oneIn: oneIn))
    }
  }
}
