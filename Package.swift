// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled the same way: Swift 6, explicit existentials, no warnings.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let grdb: [Target.Dependency] = [
  .product(name: "GRDB", package: "GRDB.swift"),
  .product(name: "GRDBSQLite", package: "GRDB.swift"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
  .product(name: "NIOHTTP1", package: "swift-nio"),
]
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// A room of the house; `docs/decisions/001-rooms.md` says which may import which.
func room(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// The tests of one room, with the shared fixtures; `excluded` folders hold no Swift.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "Fixtures"] + dependencies,
    exclude: excluded,
    swiftSettings: strict)
}

let package = Package(
  name: "firetally",
  products: [.executable(name: "firetally", targets: ["firetally"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    // Without its extras for Foundation.
    .package(
      url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
  ],
  targets: [
    // Floor 5: the program.
    .executableTarget(
      name: "firetally",
      dependencies: [
        "Model", "Rules", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Session", "Emulator",
        "Reports", "XML", "Jobs", "CStart", argumentParser, logging, subprocess,
      ],
      swiftSettings: strict,
      linkerSettings: [
        // Full RELRO, for which SwiftPM has no setting of its own; see
        // `docs/decisions/039-an-ordinary-build.md`.
        .unsafeFlags(
          ["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"],
          .when(platforms: [.linux], configuration: .release))
      ]),
    // Floor 4: what cron runs.
    room(
      "Jobs",
      [
        "Files", "Model", "EventEncoding", "Rules", "Store", "HTTP", "Firestore", "Feeds", "Sync",
        "Session", "Reports", "Crypto", "Processes", "XML", "CZlib", logging, subprocess, yams,
      ]),
    // Floor 3: what the product does.
    room("Emulator", ["Model", "Firestore"] + nio),
    room("Sync", ["Model", "Rules", "Store", "Firestore", "Feeds"]),
    room("Session", ["Model", "Rules", "Store"]),
    room(
      "Reports", ["Model", "Rules", "XML"],
      resources: ["page", "tables", "days", "feedback", "compare"].map {
        .embedInCode("HTML/Script/\($0).js")
      }),
    // Floor 2: what the product is made of.
    room("Firestore", ["Files", "HTTP", "Crypto", "Processes", subprocess]),
    room("Feeds", ["Files", "Model", "EventEncoding", "HTTP", "XML", "CZlib"]),
    room("Store", ["Files", "Model", "EventEncoding"] + grdb),
    room("Rules", ["Model"]),
    // Floor 1: the ground.
    room("Files", []),
    room("HTTP", ["Files", "CCurl"]),
    room("Crypto", ["CCrypto"]),
    room(
      "Processes", [subprocess, .product(name: "SystemPackage", package: "swift-system")]),
    room("XML", ["CLibXML2"]),
    room("Model", []),
    room("EventEncoding", ["Model"]),
    // What protects data before the program's first line of Swift.
    .target(name: "CStart"),
    // The system's libraries.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // What `make bench` measures a sync against.
    .executableTarget(
      name: "SQLiteLimit", dependencies: ["Model", "Firestore", "Sync"] + grdb,
      path: "bench/limit", swiftSettings: strict),

    .target(
      name: "Fixtures", dependencies: ["Model", "EventEncoding"], path: "Tests/Fixtures",
      swiftSettings: strict),
    .target(
      name: "StoreTesting", dependencies: ["Model", "Store", "Fixtures"] + grdb,
      path: "Tests/StoreTesting", swiftSettings: strict),
    .target(
      name: "SyncTesting",
      dependencies: [
        "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Emulator", "Fixtures",
        "StoreTesting",
      ],
      path: "Tests/SyncTesting", swiftSettings: strict),
    .target(
      name: "JobsTesting",
      dependencies: [
        "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Session", "Emulator", "Jobs",
        "Fixtures", "StoreTesting", "SyncTesting",
      ],
      path: "Tests/JobsTesting", swiftSettings: strict),
    tests(of: "Model"),
    tests(of: "EventEncoding", ["Model"]),
    tests(of: "Rules", ["Model"]),
    tests(of: "Reports", ["Model", "Rules", "XML"]),
    tests(of: "Store", ["Files", "Model", "EventEncoding", "StoreTesting"] + grdb),
    tests(of: "Files"),
    tests(of: "HTTP"),
    tests(of: "Crypto"),
    tests(of: "Processes", [subprocess]),
    tests(of: "XML"),
    tests(of: "Firestore", ["HTTP", "Crypto"]),
    tests(of: "Feeds", ["Model", "EventEncoding", "HTTP"]),
    tests(
      of: "Sync",
      [
        "Model", "Rules", "Store", "HTTP", "Firestore", "Feeds", "Emulator", "StoreTesting",
        "SyncTesting",
      ] + grdb),
    tests(of: "Session", ["Model", "Rules", "Store", "StoreTesting"]),
    tests(of: "Emulator", ["Model", "HTTP", "Firestore"], excluding: ["Python"]),
    tests(
      of: "Jobs",
      [
        "Model", "Rules", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Session", "Emulator",
        "StoreTesting", "SyncTesting", "JobsTesting",
      ]),
    tests(
      of: "firetally",
      [
        "Model", "Rules", "Store", "HTTP", "Firestore", "Sync", "Session", "Emulator", "Jobs",
        "StoreTesting", "SyncTesting", "JobsTesting", argumentParser,
      ], excluding: ["Python"]),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)
