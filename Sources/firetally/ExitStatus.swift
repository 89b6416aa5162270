/// What the program ends with; `docs/jobs.md#exit-codes` lists them.
enum ExitStatus: Int32, CaseIterable {
  case ok = 0
  case failed = 1
  /// Done, with documents, lines or items left out.
  case partial = 3
  case usage = 64
  /// Bad data or a bad job file.
  case badData = 65
  case remoteUnavailable = 69
  /// Try later: a limit, a lock, a quota, a read budget.
  case tryLater = 75
  case notAuthorised = 77
  case configuration = 78
  case interrupted = 130
}
