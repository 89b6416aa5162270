package import Firestore
package import Workspace

/// The database that `firetally load` writes into; see `docs/load.md#targets`.
package struct LoadTarget: Hashable, Sendable {
  /// The project; nil, for an emulator only, means that of the source.
  package var project: String?
  package var database: String
  /// Whether the target is an emulator.
  package var isEmulator: Bool

  /// Parses `emulator`, `PROJECT` or `PROJECT/DATABASE`; the variables hold the emulator's address.
  ///
  /// - Throws: `WorkspaceError.refused` for a text of another form, and for `emulator` without an
  ///   address.
  package init(_ text: String, environment: [String: String]) throws(WorkspaceError) {
    isEmulator = Endpoint.emulatorAddress(in: environment) != nil
    let parts = ResourceName.ids(in: text)
    guard (1...2).contains(parts.count), !parts.contains("") else {
      throw .refused(.usage, "--to takes emulator, PROJECT or PROJECT/DATABASE, not '\(text)'.")
    }
    database = parts.count == 2 ? parts[1] : "(default)"
    project = text == "emulator" ? nil : parts[0]
    guard project != nil || isEmulator else {
      throw .refused(
        .configuration,
        "There is no emulator to load into. Start one, `firetally emulator --users 0`, and set "
          + "FIRESTORE_EMULATOR_HOST to its address.")
    }
  }

  /// The root of the documents to write.
  package func root(of source: LoadSource) -> ResourceName {
    ResourceName(project: project ?? source.root?.project ?? "demo", database: database)
  }

  /// Refuses the project that the documents came from, unless `intoSource`.
  package func check(_ source: LoadSource, intoSource: Bool) throws(WorkspaceError) {
    guard !isEmulator, !intoSource, let own = source.root, own.project == project else { return }
    throw .refused(
      .usage,
      "The documents of \(source.name) came from the project \(own.project) itself. Give "
        + "--into-source to write them back there.")
  }
}
