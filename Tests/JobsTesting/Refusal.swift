package import Testing
package import Workspace

/// Expects an error that no case of its own stands for, by its category and how it begins.
package func expectRefusal<T>(
  _ category: WorkspaceError.Category, _ start: String, _ body: () throws -> T,
  at location: SourceLocation = #_sourceLocation
) {
  #expect(sourceLocation: location) {
    try body()
  } throws: { error in
    (error as? WorkspaceError)?.category == category && "\(error)".hasPrefix(start)
  }
}

/// The same for what waits.
package func expectRefusal<T>(
  _ category: WorkspaceError.Category, _ start: String, _ body: () async throws -> T,
  at location: SourceLocation = #_sourceLocation
) async {
  await #expect(sourceLocation: location) {
    try await body()
  } throws: { error in
    (error as? WorkspaceError)?.category == category && "\(error)".hasPrefix(start)
  }
}
