package import Firestore
import Foundation
import Model

/// The place where a secret of the configuration is stored, which is never `firetally.yml` itself.
///
/// See `docs/jobs.md#secrets`.
package enum SecretSource: Hashable, Sendable {
  case environment(variable: String)
  /// A relative path is resolved against the workspace.
  case file(path: String)

  /// The largest size of a secret file, in bytes; docs/jobs.md#secrets.
  package static let longestSecret = 4_096

  /// Reads the secret, without surrounding white space.
  ///
  /// `key` is the configuration key without `_env` or `_file`, such as `moments.token`. Errors name
  /// the key instead of the variable or the file, because people write the secret itself there by
  /// mistake.
  ///
  /// - Throws: `WorkspaceError.refused` when the variable is unset, when the variable or the file
  ///   is empty, or when the file is too long or unreadable.
  package func secret(
    of key: String, in workspace: Workspace, environment: [String: String]
  ) throws(WorkspaceError) -> Secret {
    let text: String
    switch self {
    case .environment(let variable): text = environment[variable] ?? ""
    case .file(let path):
      let bytes: [UInt8]
      do {
        bytes = try FileContents.bytes(of: workspace.path(path), limit: Self.longestSecret + 1)
      } catch {
        throw refusal(key, error.fileProblem ?? "cannot be read")
      }
      // A truncated secret would be refused with a misleading reason.
      guard bytes.count <= Self.longestSecret else {
        throw refusal(key, "has more than \(Self.longestSecret) bytes")
      }
      text = String(decoding: bytes, as: UTF8.self)
    }
    let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !secret.isEmpty else { throw refusal(key, emptiness) }
    return Secret(secret)
  }

  private var emptiness: String {
    switch self {
    case .environment: "is not set, or empty"
    case .file: "is empty"
    }
  }

  private func refusal(_ key: String, _ problem: String) -> WorkspaceError {
    let place =
      switch self {
      case .environment: "The environment variable that \(key)_env names"
      case .file: "The file that \(key)_file names"
      }
    return .refused(
      .configuration,
      "\(place) \(problem). The key takes a name, never the secret itself: see "
        + "docs/jobs.md#secrets.")
  }

  /// Returns a warning about a file that others can read; nil if nobody else can, or without a
  /// file.
  package func warning(in workspace: Workspace) -> String? {
    guard case .file(let path) = self else { return nil }
    let file = workspace.path(path)
    return SecretFile.warning(about: "The secret in \(file)", path: file)
  }
}

extension MappingReader {
  /// Reads the source in `{key}_env` or `{key}_file`; both at once are a problem.
  package func secret(_ key: String) -> SecretSource? {
    let variable = text("\(key)_env", wanted: "the name of an environment variable") {
      $0.isWord(with: "_")
    }
    let path = text("\(key)_file")
    if let entry = entry("\(key)_file"), variable != nil {
      problem(entry, "names the secret a second time, after \(key)_env; keep one of the two")
    }
    return variable.map { .environment(variable: $0) } ?? path.map { .file(path: $0) }
  }
}
