import Firestore
package import Jobs
package import Model
import Sync
import Workspace

/// A change of one field of the app's settings document: docs/proposals.md#apply.
package struct SettingsPatch: Sendable {
  package let document: String
  /// The document's name for the setting.
  package let field: String
  /// The current value of the field, as text; nil for a document without the field.
  package let oldValue: String?
  private let value: Value
  private let name: String
  private let updateTime: Timestamp

  /// Whether the document already has the value.
  package var isInForce: Bool { oldValue == SettingsPull.text(of: value) }

  /// Reads the document and prepares the change.
  ///
  /// A text field stays text. It costs one billed read.
  ///
  /// - Throws: `WorkspaceError` when the document does not exist, or no read is left;
  ///   `FirestoreError`.
  package init(
    _ key: SettingKey, to number: Int, in document: String, _ reads: AdHocReads
  ) async throws {
    let found = try await reads.spend(upTo: 1) { _ in
      (try await reads.database.document(at: document, readTime: nil), 1)
    }
    guard let found, let updateTime = found.updateTime else {
      throw WorkspaceError.refused(
        .failed,
        "The document \(document) does not exist, so there is nothing to change. Create it where "
          + "the app's settings are kept, or name it in the job of kind sync-settings.")
    }
    let names = key.descriptor.wireNames
    field = names.first { found.fields[$0] != nil } ?? names[0]
    let old = found.fields[field]
    oldValue = old.map(SettingsPull.text(of:))
    if case .string = old {
      value = .string(String(number))
    } else {
      value = .integer(Int64(number))
    }
    self.document = document
    name = found.name
    self.updateTime = updateTime
  }

  /// The body of a `documents:commit`, which fails once the document has changed.
  package var body: [UInt8] {
    let write = Write(fields: [field: value], of: name, ifUnchangedSince: updateTime)
    return JSON.object(["writes": .array([write.json])]).serialized() + [UInt8(ascii: "\n")]
  }

  /// Writes the field, unless the document has changed since it was read.
  ///
  /// - Throws: `WorkspaceError` when it has changed, or when the answer was lost; else
  ///   `FirestoreError`.
  package func send(_ reads: AdHocReads) async throws {
    do {
      try await reads.database.update(
        document, fields: [field: value], ifUnchangedSince: updateTime)
    } catch let error as FirestoreError
      where error.reason == .preconditionFailed || error.reason == .notFound
    {
      throw WorkspaceError.refused(
        .tryLater,
        "\(document) was changed since it was read, so nothing was written. Run the same command "
          + "again: it reads the newest document.")
    } catch let error as FirestoreError where error.leavesOutcomeUnknown {
      throw WorkspaceError.refused(
        .tryLater,
        "It is not known whether \(field) was written. Run the same command again: it says whether "
          + "the value is set. \(error)")
    }
  }
}
