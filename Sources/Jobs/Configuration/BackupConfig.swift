/// How backups are made; see `docs/backup.md#encryption`.
package struct BackupConfig: Hashable, Sendable {
  /// A shell command that encrypts what it reads; nil leaves backups as they are.
  package var encrypt: String?
  /// A shell command that decrypts what it reads.
  package var decrypt: String?
  /// Whether backups hold the key of contacts; nil: those that are encrypted do.
  package var contactsKey: Bool?

  package var keepsContactKey: Bool { contactsKey ?? (encrypt != nil) }

  static let options = OptionKeys(
    BackupConfig(),
    [
      .key("encrypt", \.encrypt, .text(.command)), .key("decrypt", \.decrypt, .text(.command)),
      .key("contacts_key", \.contactsKey, .boolean),
    ])
}
