/// Which shard of a plan a process is, from 1; see `docs/shards.md#number`.
package struct ShardNumber: Hashable, Sendable {
  package let number: Int

  /// - Parameters:
  ///   - option: the value of `--shard`, as `3/8` or `3`; nil without it.
  ///   - environment: the process's variables.
  ///   - count: the shards of the plan.
  /// - Throws: `JobsError.shards` without a number, for one beyond the plan, and for a count that is
  ///   not the plan's.
  package init(
    option: String?, environment: [String: String], count: Int
  ) throws(JobsError) {
    let source = option == nil ? "FIRETALLY_SHARD" : "--shard"
    let text = option ?? environment[source] ?? ""
    guard option != nil || !text.isEmpty else {
      throw .shards(
        .usage,
        "Nothing says which shard this is: give --shard 3/\(count), or set FIRETALLY_SHARD to its "
          + "number, from 1.")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, let number = parts[0], let last = parts[parts.count - 1] else {
      throw .shards(.usage, "\(source) takes a number and a count such as 3/8, not '\(text)'.")
    }
    let told = environment["FIRETALLY_SHARDS"] ?? ""
    let counts = [
      (source, parts.count == 2 ? "\(last)" : ""), ("FIRETALLY_SHARDS", told),
    ]
    for (source, said) in counts where !said.isEmpty && Int(said) != count {
      throw .shards(
        .usage,
        "\(source) says that there are \(said) shards, and the plan has \(count). Start \(count) "
          + "tasks, or say the number that is meant.")
    }
    guard (1...count).contains(number) else {
      throw .shards(
        .usage, "\(source) names shard \(number), and the plan has shards 1 to \(count).")
    }
    self.number = number
  }
}
