import Glibc

/// The folder of a plan's finished shards, and of those that are being read; see
/// `docs/shards.md#files`.
package struct ShardFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// `shard-0003`, to which `.sqlite` and `.json` are added.
  package static func name(of number: Int) -> String {
    let digits = String(number)
    return "shard-\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
  }

  /// The file of a shard that is exported, whose folder is made.
  ///
  /// - Parameters:
  ///   - number: of the shard, from 1.
  ///   - child: a child table, which has a folder of its own; nil for the table of the job.
  ///   - ending: such as `ndjson.gz`.
  ///   - mode: of the folder.
  /// - Returns: the file's path.
  /// - Throws: `JobsError.file`.
  package func export(
    of number: Int, child: String?, ending: String, mode: FileMode
  ) throws -> String {
    let folder = child.map { "\(path)/\($0)" } ?? path
    try JobsError.ofFiles {
      try FileContents.makeFolder(path, mode: mode)
      try FileContents.makeFolder(folder, mode: mode)
    }
    return "\(folder)/\(Self.name(of: number)).\(ending)"
  }

  /// The manifest of a finished shard; nil while it is not finished.
  ///
  /// The file is not read: the gathering does that.
  ///
  /// - Throws: `JobsError.shards` for a shard of another plan, `JobsError.file`.
  package func finished(_ number: Int, of plan: StoredShardPlan) throws -> ShardManifest? {
    do {
      return try JobsError.ofFiles { try ShardManifest.sound(number, of: plan, in: path) }
    } catch let flaw as ShardFlaw {
      // A file that is gone or cut is made anew.
      if flaw.category == .tryLater { return nil }
      throw JobsError.flawed([flaw])
    }
  }

  /// Goes on with what an attempt that died has left, or begins one.
  ///
  /// - Throws: `JobsError.shards` while another attempt lives, `JobsError.file`, `StoreError`.
  package func attempt(_ number: Int, of plan: StoredShardPlan) throws -> ShardAttempt {
    let lock = "\(path)/.\(Self.name(of: number)).lock"
    let file = try JobsError.ofFiles {
      try FileContents.makeFolder(path)
      while true {
        let file = try FileDescriptor.open(lock, O_RDWR | O_CREAT, to: "lock")
        guard try file.lock(LOCK_EX | LOCK_NB, at: lock) else {
          throw JobsError.shards(
            .tryLater,
            "Another process reads shard \(number) into \(path). Wait for it, or give another "
              + "folder.")
        }
        // The one before may have removed it.
        if file.isNamed(lock) { return file }
      }
    }
    return try ShardAttempt(number, of: plan, in: self, file)
  }
}
