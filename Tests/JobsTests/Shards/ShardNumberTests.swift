import Testing

@testable import Jobs

/// Which shard a task is, by every engine's variables.
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

  private static func slurm(_ id: Int, from first: Int = 0, _ others: [String: String] = [:])
    -> [String: String]
  {
    [
      "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(first)",
      "SLURM_ARRAY_TASK_COUNT": "8",
    ].merging(others) { _, other in other }
  }

  private static let cases = [
    // The option.
    Case("1/8", [:], 1), Case("8/8", [:], 8), Case("3", [:], 3),
    Case("0/8", [:], nil), Case("9/8", [:], nil), Case("3/7", [:], nil), Case("3/9", [:], nil),
    Case("", [:], nil), Case("/8", [:], nil), Case("3/", [:], nil), Case("a/8", [:], nil),
    Case("1/2/3", [:], nil), Case("-1/8", [:], nil),
    // The program's own variables.
    Case(nil, ["FIRETALLY_SHARD": "1", "FIRETALLY_SHARDS": "8"], 1),
    Case(nil, ["FIRETALLY_SHARD": "8"], 8), Case(nil, ["FIRETALLY_SHARD": "9"], nil),
    Case(nil, ["FIRETALLY_SHARD": "0"], nil), Case(nil, ["FIRETALLY_SHARD": "x"], nil),
    Case(nil, ["FIRETALLY_SHARD": "1", "FIRETALLY_SHARDS": "7"], nil),
    Case(nil, ["FIRETALLY_SHARDS": "8"], nil),
    // Slurm's arrays begin anywhere.
    Case(nil, slurm(0), 1), Case(nil, slurm(7), 8), Case(nil, slurm(8), nil),
    Case(nil, slurm(1, from: 1), 1), Case(nil, slurm(8, from: 1), 8),
    Case(nil, slurm(100, from: 100), 1), Case(nil, slurm(107, from: 100), 8),
    Case(nil, slurm(14, from: 0, ["SLURM_ARRAY_TASK_STEP": "2"]), 8),
    Case(nil, slurm(1, from: 1, ["SLURM_ARRAY_TASK_COUNT": "7"]), nil),
    // Kubernetes names no count, which may be passed.
    Case(nil, ["JOB_COMPLETION_INDEX": "0"], 1), Case(nil, ["JOB_COMPLETION_INDEX": "7"], 8),
    Case(nil, ["JOB_COMPLETION_INDEX": "8"], nil),
    Case(nil, ["JOB_COMPLETION_INDEX": "0", "FIRETALLY_SHARDS": "8"], 1),
    Case(nil, ["JOB_COMPLETION_INDEX": "0", "FIRETALLY_SHARDS": "9"], nil),
    // Cloud Run.
    Case(
      nil,
      ["CLOUD_RUN_TASK_INDEX": "0", "CLOUD_RUN_TASK_COUNT": "8", "CLOUD_RUN_TASK_ATTEMPT": "2"], 1),
    Case(nil, ["CLOUD_RUN_TASK_INDEX": "7", "CLOUD_RUN_TASK_COUNT": "8"], 8),
    Case(nil, ["CLOUD_RUN_TASK_INDEX": "0", "CLOUD_RUN_TASK_COUNT": "9"], nil),
    // GNU parallel counts from 1.
    Case(nil, ["PARALLEL_SEQ": "1"], 1), Case(nil, ["PARALLEL_SEQ": "8"], 8),
    Case(nil, ["PARALLEL_SEQ": "0"], nil), Case(nil, ["PARALLEL_SEQ": "9"], nil),
    // Several at once: the option wins, then the own variable; engines have to agree.
    Case("2/8", ["FIRETALLY_SHARD": "3"], 2), Case("2/8", ["FIRETALLY_SHARDS": "7"], nil),
    Case("2/8", slurm(7), 2), Case(nil, slurm(7, ["FIRETALLY_SHARD": "3"]), 3),
    Case(nil, slurm(0, ["PARALLEL_SEQ": "1"]), 1), Case(nil, slurm(0, ["PARALLEL_SEQ": "2"]), nil),
    Case(nil, ["PARALLEL_SEQ": "3", "CLOUD_RUN_TASK_INDEX": "3"], nil),
    // Numbers that are none.
    Case(nil, ["JOB_COMPLETION_INDEX": "9223372036854775807"], nil),
    Case(nil, ["CLOUD_RUN_TASK_INDEX": "2147483647"], nil),
    Case(nil, ["CLOUD_RUN_TASK_INDEX": "2147483648"], nil),
    Case(nil, ["PARALLEL_SEQ": "-1"], nil), Case(nil, ["JOB_COMPLETION_INDEX": "-1"], nil),
    Case(nil, slurm(0, from: Int.max, ["SLURM_ARRAY_TASK_ID": "\(Int.min)"]), nil),
    // Nothing, or empty.
    Case(nil, [:], nil), Case(nil, ["PARALLEL_SEQ": ""], nil),
  ]

  @Test(arguments: cases)
  func number(_ one: Case) {
    let found = Result {
      try ShardNumber(option: one.option, environment: one.environment, count: 8).number
    }
    switch found {
    case .success(let number): #expect(number == one.number)
    case .failure(let error):
      #expect(one.number == nil, "\(error)")
      #expect((error as? ShardProblem)?.category == .usage)
      #expect("\(error)".hasSuffix(".") || "\(error)".hasSuffix("too."))
    }
  }
}

extension ShardNumberTests {
  private static func slurm(_ id: Int, _ others: [String: String]) -> [String: String] {
    slurm(id, from: 0, others)
  }
}
