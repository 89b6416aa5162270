/// Which shard of a plan a process is: from 1, and how many there are; see
/// `docs/shards.md#number`.
package struct ShardNumber: Hashable, Sendable {
  package let number: Int

  /// What one source says.
  private struct Claim: Hashable {
    let source: String
    /// From 1.
    let number: Int
    /// Nil when the source does not say.
    let count: Int?
  }

  /// The number that the option, the program's own variables, or an engine's say, in this order.
  ///
  /// - Parameters:
  ///   - option: the value of `--shard`, as `3/8` or `3`; nil without it.
  ///   - environment: the process's variables.
  ///   - count: the shards of the plan.
  /// - Throws: `ShardProblem.number` without a number, for two that differ, for one beyond the plan,
  ///   and for a count that is not the plan's.
  package init(
    option: String?, environment: [String: String], count: Int
  ) throws(ShardProblem) {
    let variables = Variables(environment)
    guard let claim = try Self.claim(option, variables) else {
      throw .number(
        "Nothing says which shard this is: give --shard 3/\(count), or set FIRETALLY_SHARD. The "
          + "variables of Slurm arrays, Kubernetes Indexed Jobs, Cloud Run Jobs and GNU parallel "
          + "are read, too.")
    }
    let counts = [(claim.source, claim.count), ("FIRETALLY_SHARDS", try variables.ownCount())]
    for case (let source, let said?) in counts where said != count {
      throw .number(
        "\(source) says that there are \(said) shards, and the plan has \(count). Start \(count) "
          + "tasks, or give --shard.")
    }
    guard (1...count).contains(claim.number) else {
      throw .number(
        "\(claim.source) names shard \(claim.number), and the plan has shards 1 to \(count).")
    }
    number = claim.number
  }

  private static func claim(
    _ option: String?, _ variables: Variables
  ) throws(ShardProblem) -> Claim? {
    if let option { return try claim(ofOption: option) }
    if let own = try variables.own() { return own }
    return try agreement(of: try variables.engines())
  }

  private static func claim(ofOption text: String) throws(ShardProblem) -> Claim {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let number = parts[0], parts.count == 1 || parts[1] != nil
    else {
      throw .number("--shard takes a number and a count such as 3/8, not '\(text)'.")
    }
    return Claim(source: "--shard", number: number, count: parts.count == 2 ? parts[1] : nil)
  }

  private static func agreement(of claims: [Claim]) throws(ShardProblem) -> Claim? {
    guard let first = claims.first else { return nil }
    for other in claims where other.number != first.number {
      throw .number(
        "\(first.source) names shard \(first.number), and \(other.source) shard \(other.number): "
          + "say which with --shard.")
    }
    // One of them may know how many there are.
    return claims.first { $0.count != nil } ?? first
  }

  /// The variables of the process, each a number from 0 where it is set.
  private struct Variables {
    private let environment: [String: String]

    init(_ environment: [String: String]) {
      self.environment = environment
    }

    private func integer(_ name: String) throws(ShardProblem) -> Int? {
      guard let text = environment[name], !text.isEmpty else { return nil }
      guard let number = Int32(text), number >= 0 else {
        throw .number(
          "\(name) is '\(text)', which is no number from 0 to \(Int32.max). Correct it, or give "
            + "--shard.")
      }
      return Int(number)
    }

    func ownCount() throws(ShardProblem) -> Int? { try integer("FIRETALLY_SHARDS") }

    func own() throws(ShardProblem) -> Claim? {
      guard let number = try integer("FIRETALLY_SHARD") else { return nil }
      return Claim(source: "FIRETALLY_SHARD", number: number, count: try ownCount())
    }

    func engines() throws(ShardProblem) -> [Claim] {
      var claims: [Claim] = []
      if let id = try integer("SLURM_ARRAY_TASK_ID") {
        // Arrays may begin anywhere, and leave numbers out.
        let step = max(1, try integer("SLURM_ARRAY_TASK_STEP") ?? 1)
        let first = try integer("SLURM_ARRAY_TASK_MIN") ?? 0
        claims.append(
          Claim(
            source: "SLURM_ARRAY_TASK_ID", number: (id - first) / step + 1,
            count: try integer("SLURM_ARRAY_TASK_COUNT")))
      }
      if let index = try integer("JOB_COMPLETION_INDEX") {
        claims.append(Claim(source: "JOB_COMPLETION_INDEX", number: index + 1, count: nil))
      }
      if let index = try integer("CLOUD_RUN_TASK_INDEX") {
        claims.append(
          Claim(
            source: "CLOUD_RUN_TASK_INDEX", number: index + 1,
            count: try integer("CLOUD_RUN_TASK_COUNT")))
      }
      if let sequence = try integer("PARALLEL_SEQ") {
        claims.append(Claim(source: "PARALLEL_SEQ", number: sequence, count: nil))
      }
      return claims
    }
  }
}
