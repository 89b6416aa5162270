// swift-tools-version: 6.2
import PackageDescription

/// The commit that `firetally --version` prints, by `scripts/commit.sh`; empty without `make`.
///
/// Only one file of C depends on it.
let commit = (Context.environment["FIRETALLY_COMMIT"] ?? "").filter {
  $0.isLetter || $0.isNumber || ", ".contains($0)
}

/// Every target is compiled the same way: Swift 6, explicit existentials, no warnings.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// For the modules above the engine, so that the program stays under 80 MB:
/// `docs/decisions/027-package.md`.
let small = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

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

/// The sections of reports that are queries; `ShippedSections` names them again.
let sections = [
  "limits-fetched-settings",
  "limits-live",
  "limits-paywall",
  "limits-quota-reach",
  "limits-quota-what-if",
  "limits-setting-changes",
  "money-base",
  "money-blocks",
  "money-blocks-by",
  "money-by-day",
  "money-conditions",
  "money-forecast",
  "money-grace",
  "money-lifetime",
  "money-limit-payers",
  "money-new-subscribers",
  "money-not-entitled",
  "money-not-paid",
  "money-payers",
  "money-payers-by-day",
  "money-paying",
  "money-payment-changes",
  "money-payments",
  "money-price-answer",
  "money-price-received",
  "money-price-revenue",
  "money-price-test",
  "money-purchase-sources",
  "money-received",
  "money-trials",
  "money-unrecovered",
  "ratings-asking",
  "ratings-by-country",
  "ratings-by-day",
  "ratings-by-platform",
  "ratings-by-version",
  "ratings-by-week",
  "ratings-completion",
  "ratings-funnel",
  "ratings-funnel-thresholds",
  "ratings-funnel-versions",
  "ratings-funnel-weeks",
  "ratings-outbox",
  "ratings-show-rate",
  "ratings-stars",
  "ratings-store-countries",
  "ratings-store-means",
  "ratings-store-versions",
  "ratings-tries",
  "runs-by-day",
  "runs-costs",
  "runs-job-effort",
  "runs-ledger",
  "runs-load-triggers",
  "runs-newest-reads",
  "runs-readers",
  "runs-readers-by-job",
  "runs-skipped",
  "runs-staleness",
  "runs-warnings",
  "usage-blocked-hours",
  "usage-by-day",
  "usage-by-feature",
  "usage-by-feature-segment-day",
  "usage-by-platform",
  "usage-by-segment",
  "usage-changes",
  "usage-funnel",
  "usage-funnel-before",
  "usage-funnel-by-attempt",
  "usage-funnel-by-country",
  "usage-funnel-by-criteria",
  "usage-funnel-by-feature",
  "usage-funnel-by-platform",
  "usage-funnel-by-version",
  "usage-heaviest-users",
  "usage-people-by-day",
  "usage-popup-outcomes",
  "usage-popup-times",
  "usage-popups",
  "usage-resets",
  "usage-signed-in",
  "usage-time-to-block",
  "usage-today",
  "usage-uses-a-day",
  "usage-uses-a-session",
  "usage-waits",
  "users-by-age",
  "users-by-country",
  "users-by-gender",
  "users-by-language",
  "users-cohorts",
  "users-demand-by-country",
  "users-demand-by-gender",
  "users-filter-combinations",
  "users-last-seen",
  "users-last-seen-bands",
  "users-newest",
  "users-newest-online",
  "users-online",
  "users-retention",
  "users-subscriber-cohorts",
  "users-subscribers",
  "users-tiers",
  "users-versions",
]

/// A module; `docs/decisions/001-modules.md` says which may import which.
func module(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// The tests of one module, with the shared fixtures; `excluded` folders hold no Swift.
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
    // Layer 8: the command line.
    .executableTarget(
      name: "firetally",
      dependencies: [
        "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Emulator", "Reports",
        "ReportWriters", "XML", "Workspace", "CollectionMapping", "App", "Jobs", "Operations",
        "CStart", argumentParser, logging, subprocess,
      ],
      swiftSettings: small,
      linkerSettings: [
        // For which SwiftPM has no settings of its own: `docs/decisions/039-an-ordinary-build.md`.
        .unsafeFlags(
          ["-use-ld=lld"]
            + ["-z", "relro", "-z", "now", "-z", "pack-relative-relocs", "--no-export-dynamic"]
            .flatMap { ["-Xlinker", $0] },
          .when(platforms: [.linux], configuration: .release))
      ]),
    // Layer 7: what an operator does with a workspace by hand.
    module(
      "Operations",
      [
        "Platform", "Model", "Store", "HTTP", "XML", "Firestore", "Feeds", "Sync", "Reports",
        "ReportWriters", "Workspace", "CollectionMapping", "Jobs", yams,
      ],
      resources: [
        "settings.yml", "online-users.yml", "feedback.yml", "events.yml", "upload-feedback.yml",
        "settle.yml", "report.yml", "maintain.yml", "releases.sql.example", "hardening.service",
      ].map { .embedInCode("Template/Files/\($0)") },
      settings: small),
    // Layer 6: what cron runs.
    module(
      "Jobs",
      [
        "Platform", "Model", "Store", "HTTP", "Crypto", "Firestore", "Feeds", "Sync", "Reports",
        "ReportWriters", "Workspace", "CollectionMapping", "App", yams,
      ],
      settings: small),
    // Layer 5: how documents become rows of a table that a job file declares.
    module(
      "CollectionMapping", ["Model", "Store", "Firestore", "Sync", "Workspace"], settings: small),
    // What one profile does, the app in a terminal.
    module("App", ["Model", "Store", "Feeds", "Workspace"], settings: small),
    // Layer 4: the files of what people read, and the folder that all of it is about.
    module(
      "ReportWriters", ["Model", "Store", "Reports", "XML"],
      resources: ["page", "tables", "days", "feedback", "compare"].map {
        .embedInCode("HTML/Script/\($0).js")
      }
        + ["palette", "page", "charts", "controls", "popups"].map {
          .embedInCode("HTML/Styles/\($0).css")
        } + ["report", "findings"].map { .embedInCode("JSON/\($0).schema.json") },
      settings: small),
    module(
      "Workspace",
      [
        "Platform", "Model", "Store", "HTTP", "Crypto", "Firestore", "Feeds", "Reports", "CZlib",
        subprocess, yams,
      ],
      settings: small),
    // Layer 3: what people read, and what stands in for Firestore.
    module(
      "Reports", ["Model", "Store"],
      resources: sections.map { .embedInCode("Sections/Queries/\($0).sql") }
        + [.embedInCode("Sections/pages.json")],
      settings: small),
    module(
      "Emulator", ["Model", "Firestore", "CZlib"] + nio,
      resources: ["cultures", "feedback"].map { .embedInCode("Sample/\($0).txt") },
      settings: small),
    // Layer 2: the engine of a sync, the database, and the wire.
    module("Sync", ["Platform", "Model", "Store", "Firestore"]),
    module(
      "Store", ["Platform", "Model"] + grdb,
      resources: [
        .embedInCode("Documentation/notes.txt"), .embedInCode("Migrations/release-0.1.0.sql"),
        .embedInCode("Migrations/release-0.2.0.sql"), .embedInCode("Migrations/since-0.2.0.sql"),
        .embedInCode("Relations/relations.sql"),
      ]),
    module("Firestore", ["Platform", "Model", "HTTP", "Crypto"]),
    module("Feeds", ["Platform", "Model", "HTTP", "Crypto", "XML", "CZlib"]),
    // Layer 1: the rules, and one wrapper a library of the system.
    module(
      "Model", [],
      resources: [
        .embedInCode("Filters/countries.txt"), .embedInCode("Filters/languages.txt"),
        .embedInCode("Filters/historical-languages.txt"), .embedInCode("Ratings/app-stores.txt"),
        .embedInCode("Themes/themes.txt"),
      ]),
    module("HTTP", ["Platform", "CCurl"]),
    module("Crypto", ["CCrypto"]),
    module("XML", ["CLibXML2"]),
    module(
      "Platform", [subprocess, .product(name: "SystemPackage", package: "swift-system")]),
    // What protects data before the program's first line of Swift. The C library's checks need an
    // optimised build.
    .target(
      name: "CStart",
      cSettings: [
        .define("FIRETALLY_COMMIT", to: "\"\(commit)\""),
        .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
      ]),
    // The system's libraries.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // What `make bench` measures a sync against.
    .executableTarget(
      name: "SQLiteLimit",
      dependencies: ["Model", "Firestore", "Sync", "Workspace", "CollectionMapping", "Jobs"] + grdb,
      path: "bench/limit", swiftSettings: strict),

    .target(
      name: "Fixtures", dependencies: ["Model"], path: "Tests/Fixtures",
      swiftSettings: strict),
    .target(
      name: "StoreTesting", dependencies: ["Model", "Store", "Fixtures"] + grdb,
      path: "Tests/StoreTesting", swiftSettings: strict),
    .target(
      name: "SyncTesting",
      dependencies: [
        "Model", "Store", "HTTP", "Firestore", "Sync", "Emulator", "Fixtures", "StoreTesting",
      ],
      path: "Tests/SyncTesting", swiftSettings: strict),
    .target(
      name: "JobsTesting",
      dependencies: [
        "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Emulator", "Workspace",
        "CollectionMapping", "App", "Jobs", "Fixtures", "StoreTesting", "SyncTesting",
      ],
      path: "Tests/JobsTesting", swiftSettings: strict),
    .target(
      name: "ReportsTesting",
      dependencies: ["Model", "Store", "XML", "Reports", "ReportWriters", "Jobs"],
      path: "Tests/ReportsTesting", swiftSettings: strict),
    tests(of: "Model"),
    tests(of: "Reports", ["Model", "Store", "ReportWriters", "ReportsTesting"]),
    tests(of: "ReportWriters", ["Model", "Store", "Reports", "ReportsTesting"]),
    tests(of: "Store", ["Platform", "Model", "Reports", "StoreTesting"] + grdb),
    tests(of: "HTTP"),
    tests(of: "Crypto"),
    tests(of: "Platform", [subprocess]),
    tests(of: "XML"),
    tests(
      of: "Firestore", ["Platform", "HTTP", "Crypto"], excluding: ["ManagedExport/Google"]),
    tests(of: "Feeds", ["Model", "HTTP", "Crypto"]),
    tests(
      of: "Sync",
      [
        "Model", "Store", "HTTP", "Firestore", "Emulator", "Workspace", "App", "Jobs",
        "Operations", "StoreTesting", "SyncTesting", "JobsTesting",
      ] + grdb),
    tests(of: "Emulator", ["Model", "HTTP", "Firestore"], excluding: ["Python"]),
    tests(
      of: "Workspace",
      ["Platform", "Model", "Store", "Firestore", "Feeds", "Jobs", "Operations", "StoreTesting"]
        + ["JobsTesting", subprocess, yams]),
    tests(
      of: "CollectionMapping",
      [
        "Model", "Store", "HTTP", "Firestore", "Sync", "Emulator", "Workspace", "StoreTesting",
        "SyncTesting", "JobsTesting",
      ]),
    tests(
      of: "App",
      [
        "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Workspace", "Jobs", "StoreTesting",
        "SyncTesting", "JobsTesting",
      ]),
    tests(
      of: "Jobs",
      [
        "Platform", "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Emulator", "Reports",
        "ReportWriters", "Workspace", "CollectionMapping", "App", "Operations", "StoreTesting",
        "SyncTesting", "JobsTesting",
      ]),
    tests(
      of: "Operations",
      [
        "Platform", "Model", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Emulator", "Workspace",
        "CollectionMapping", "App", "Jobs", "StoreTesting", "SyncTesting", "JobsTesting",
      ]),
    tests(
      of: "firetally",
      [
        "Platform", "Model", "Store", "HTTP", "Firestore", "Sync", "Emulator", "Reports",
        "Workspace",
        "CollectionMapping", "App", "Jobs", "Operations", "StoreTesting", "SyncTesting",
        "JobsTesting", argumentParser, logging,
      ], excluding: ["Python"]),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)

// `FIRETALLY_TESTS="StoreTests SyncTests"` builds these test modules alone, in a part of the time.
if let named = Context.environment["FIRETALLY_TESTS"], !named.isEmpty {
  let wanted = Set(named.split(separator: " ").map(String.init))
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
