/// Imports point down, and only where the plan has an arrow.
struct ImportCheck: Check {
  /// What a module may import: modules below it, packages, and the system's libraries.
  static let modules: [String: Set<String>] = [
    "Model": [],
    "Platform": ["Subprocess", "SystemPackage"],
    "HTTP": ["Platform", "CCurl"],
    "Crypto": ["CCrypto"],
    "XML": ["CLibXML2"],
    "Store": ["Platform", "Model", "GRDB", "GRDBSQLite"],
    "Feeds": ["Platform", "Model", "HTTP", "Crypto", "XML", "CZlib"],
    "Firestore": ["Platform", "Model", "HTTP", "Crypto"],
    "Sync": ["Platform", "Model", "Store", "Firestore"],
    "Reports": ["Model", "Store"],
    "ReportWriters": ["Model", "Store", "Reports", "XML"],
    "Emulator": ["Model", "Firestore", "CZlib", "NIOCore", "NIOPosix", "NIOHTTP1"],
    "Workspace": [
      "Platform", "Model", "Store", "HTTP", "Crypto", "Firestore", "Feeds", "Reports", "CZlib",
      "Subprocess", "Yams",
    ],
    "CollectionMapping": ["Model", "Store", "Firestore", "Sync", "Workspace"],
    "App": ["Model", "Store", "Feeds", "Workspace"],
    "Jobs": [
      "Platform", "Model", "Store", "HTTP", "Crypto", "Firestore", "Feeds", "Sync", "Reports",
      "ReportWriters", "Workspace", "CollectionMapping", "App", "Yams",
    ],
    "Operations": [
      "Platform", "Model", "Store", "HTTP", "XML", "Firestore", "Feeds", "Sync", "Reports",
      "ReportWriters", "Workspace", "CollectionMapping", "Jobs", "Yams",
    ],
    "firetally": [
      "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Emulator", "Reports",
      "ReportWriters", "XML", "Workspace", "CollectionMapping", "App", "Jobs", "Operations",
      "Logging", "ArgumentParser", "CStart", "Subprocess",
    ],
  ]

  /// Modules that do nothing but decide: of the system they see values only.
  static let pureModules: Set<String> = ["Model"]
  static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Synchronization",
  ]

  func findings(in file: SwiftFile) -> [Finding] {
    guard let module = file.module else { return [] }
    guard let modules = Self.modules[module] else {
      guard !file.code.isEmpty else { return [] }
      return [Finding(path: file.path, line: 1, message: "the plan has no module \(module)")]
    }
    let allowed = modules.union(
      Self.pureModules.contains(module) ? ["FoundationEssentials"] : Self.system)
    return Self.imports(of: file).filter { !allowed.contains($0.imported) }.map {
      Finding(path: file.path, line: $0.line, message: "\(module) may not import \($0.imported)")
    }
  }

  static func imports(of file: SwiftFile) -> [(imported: String, line: Int)] {
    let pattern =
      /(?m)^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    guard file.words.contains(where: { $0.text == "import" }) else { return [] }
    return file.code.matches(of: pattern).map {
      (String($0.output.1), file.line(of: $0.range.upperBound))
    }
  }
}
