import Testing

@testable import Jobs
@testable import Workspace

/// Which shard a task is.
@Suite struct ShardNumberTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let option: String?
    let environment: [String: String]
    /// Nil: refused.
    let number: Int?

    init(_ option: String?, _ environment: [String: String], _ number: Int?) {
      (self.option, self.environment, self.number) = (option, environment, number)
    }

    var testDescription: String {
      "\(option ?? "-") \(environment.map { "\($0)=\($1)" }.sorted().joined(separator: " "))"
    }
  }

  private static let cases = [
    // The option.
    Case("1/8", [:], 1), Case("8/8", [:], 8), Case("3", [:], 3),
    Case("0/8", [:], nil), Case("9/8", [:], nil), Case("3/7", [:], nil), Case("3/9", [:], nil),
    Case("", [:], nil), Case("/8", [:], nil), Case("3/", [:], nil), Case("a/8", [:], nil),
    Case("1/2/3", [:], nil), Case("-1/8", [:], nil),
    // The program's own variables.
    Case(nil, ["FIRETALLY_SHARD": "1/8"], 1), Case(nil, ["FIRETALLY_SHARD": "8"], 8),
    Case(nil, ["FIRETALLY_SHARD": "9"], nil), Case(nil, ["FIRETALLY_SHARD": "0"], nil),
    Case(nil, ["FIRETALLY_SHARD": "x"], nil),
    Case(nil, ["FIRETALLY_SHARD": "3/8"], 3), Case(nil, ["FIRETALLY_SHARD": "3/7"], nil),
    Case(nil, ["FIRETALLY_SHARD": "-1"], nil),
    Case(nil, ["FIRETALLY_SHARD": "1/9"], nil), Case(nil, ["FIRETALLY_SHARD": "1/x"], nil),
    Case(nil, ["FIRETALLY_SHARD": "9223372036854775808"], nil),
    // The option wins.
    Case("2/8", ["FIRETALLY_SHARD": "3"], 2), Case("2/8", ["FIRETALLY_SHARD": "3/7"], 2),
    // An engine's own variables are the recipes' matter.
    Case(nil, ["SLURM_ARRAY_TASK_ID": "1", "JOB_COMPLETION_INDEX": "1", "PARALLEL_SEQ": "1"], nil),
    // Nothing, or empty.
    Case(nil, [:], nil), Case(nil, ["FIRETALLY_SHARD": ""], nil),
  ]

  @Test(arguments: cases)
  func number(_ one: Case) {
    let found = Result { () throws(WorkspaceError) in
      try ShardPlan.number(option: one.option, environment: one.environment, of: 8)
    }
    switch found {
    case .success(let number): #expect(number == one.number)
    case .failure(let error):
      #expect(one.number == nil, "\(error)")
      #expect(error.category == .usage && "\(error)".hasSuffix("."))
    }
  }
}
