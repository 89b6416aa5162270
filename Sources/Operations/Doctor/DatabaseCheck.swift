import Glibc
import Model
import Reports
import Store
import Workspace

/// Checks whether the database is readable and sound, and has this program's schema.
struct DatabaseCheck: DoctorCheck {
  static let name = "database"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let path = context.workspace.folder.databasePath
    guard let store = try context.workspace.database.get() else {
      return warn("There is no database yet.", "`firetally run --all` makes it.")
    }
    try store.checkPages()
    let size = NumberWords.bytes(context.databaseBytes)
    let version = try store.read { try $0.storedSchemaVersion() }
    let others = readOnly(path) + readers(of: path)
    guard let older = context.workspace.olderSchema else {
      return
        ok("\(path) is sound (quick_check), has schema version \(version) and \(size).") + others
    }
    return warn(
      "\(path) has schema \(older), of an older firetally, and \(size). A copy with "
        + "schema \(version) is sound (quick_check).",
      "The next job upgrades the database and keeps a copy of the old one. "
        + "`firetally run maintain` does this and asks no server.") + others
  }

  /// Returns a finding when this user cannot write the database, or its folder, where SQLite keeps
  /// the log.
  private func readOnly(_ path: String) -> [DoctorFinding] {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let needed: [String] = [path, folder]
    guard let item = needed.first(where: { access($0, W_OK) != 0 }) else { return [] }
    let reason = errno == EROFS ? "its file system is read-only" : "permission denied"
    return fail(
      "This user cannot write \(item) (\(reason)), so every job fails.",
      "Run jobs as the user who owns it, or give it to this one with `chown`.")
  }

  /// Returns a finding when everybody on the machine can read the database.
  private func readers(of path: String) -> [DoctorFinding] {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { return [] }
    let mode = String(status.st_mode & 0o777, radix: 8)
    return warn(
      "Everybody on this machine can read \(path) (mode \(mode)).", "Run `chmod 600 \(path)`.")
  }
}

/// Checks whether the disk has room for the growth of the database; see `docs/doctor.md#disk`.
struct DiskCheck: DoctorCheck {
  static let name = "disk"

  /// The largest size of a write-ahead log before it is merged: `Store` checkpoints at 64 MiB.
  static let logBytes: Int64 = 64 << 20
  /// The number of days of remaining room below which there is a warning; `docs/doctor.md#disk`.
  static let fewestDays = 30.0
  /// The shortest history from which growth is estimated; `docs/doctor.md#disk`.
  static let shortestHistory = (backups: Duration.seconds(86_400), runs: Duration.seconds(604_800))

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let disk = try context.disk()
    let size = context.databaseBytes
    let free = NumberWords.bytes(disk.freeBytes)
    let needed = 2 * size + Self.logBytes
    guard disk.freeBytes >= needed else {
      return fail(
        "\(context.workspace.folder.dataFolder) has \(free) left; a backup and a clean-up of "
          + "the database need \(NumberWords.bytes(needed)).",
        "Free some space, or keep fewer backups.")
    }
    guard let growth = try dailyGrowth(context, size: size) else {
      return ok("\(free) left; the history is too short to tell how the database grows.")
    }
    guard growth > 0 else { return ok("\(free) left; the database does not grow.") }
    let days = Double(disk.freeBytes - needed) / growth
    let words = "\(free) left; the database grows by \(NumberWords.bytes(Int64(growth))) a day"
    guard days < Self.fewestDays else {
      return ok("\(words), room for \(days < 730 ? "\(Int(days)) days" : "years").")
    }
    return warn(
      "\(words), room for \(Int(days)) days.",
      "Free some space, or keep less: see docs/doctor.md#disk.")
  }

  /// Returns the growth in bytes per day since the oldest backup in `data/backups`, else since the
  /// first run; nil when neither is old enough.
  private func dailyGrowth(_ context: DoctorContext, size: Int64) throws -> Double? {
    let now = context.clock.now
    let backups = try BackupFolder(context.workspace.folder.backupsFolder).entries()
    if let oldest = backups.last(where: { $0.databaseBytes != nil }),
      let bytes = oldest.databaseBytes
    {
      let age = now - oldest.createdAt
      if age >= Self.shortestHistory.backups {
        return Double(size - bytes) / age.fractionalSeconds * 86_400
      }
    }
    // Another check reports the faults of the database.
    guard case .success(let store?) = context.workspace.database,
      let first = try store.read({ try $0.firstRunStartedAt() }),
      now - first >= Self.shortestHistory.runs
    else { return nil }
    return Double(size) / (now - first).fractionalSeconds * 86_400
  }
}

extension DoctorContext {
  /// The size of the database with its log.
  var databaseBytes: Int64 {
    ["", "-wal"].reduce(0) { bytes, suffix in
      var status = stat()
      return stat(workspace.folder.databasePath + suffix, &status) == 0
        ? bytes + Int64(status.st_size) : bytes
    }
  }
}
