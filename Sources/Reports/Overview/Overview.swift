package import Model

/// One workspace of the overview: its app, or why it cannot be read.
package struct WorkspaceOverview: Sendable {
  package enum Content: Sendable {
    case app(AppOverview)
    /// Nothing is known of it; the reason in sentences.
    case unread(String)
  }

  /// Absolute.
  package let folder: String
  package let content: Content
  /// The first page of its reports, as a link relative to the overview's page; nil without one.
  package var page: String?

  package init(folder: String, _ content: Content, page: String? = nil) {
    self.folder = folder
    self.content = content
    self.page = page
  }

  package var app: AppOverview? { if case .app(let app) = content { app } else { nil } }

  /// Why it cannot be read; nil when it can.
  package var problem: String? { if case .unread(let reason) = content { reason } else { nil } }

  /// Whether `firetally status` would end with 0 there.
  package var isWell: Bool { app?.health.isWell ?? false }
}

/// All workspaces at one moment, in the order in which they were named: docs/overview.md.
package struct Overview: Sendable {
  package let workspaces: [WorkspaceOverview]
  package let now: Instant

  package init(_ workspaces: [WorkspaceOverview], now: Instant) {
    self.workspaces = workspaces
    self.now = now
  }

  package var isWell: Bool { workspaces.allSatisfy(\.isWell) }

  /// Those that can be read.
  package var apps: [AppOverview] { workspaces.compactMap(\.app) }

  /// The time zone of all apps; UTC when they have several, or none can be read.
  package var timeZone: String {
    let zones = Set(apps.map(\.context.timeZone))
    return zones.count == 1 ? zones.first ?? "UTC" : "UTC"
  }

  /// What each workspace is called, in their order: the app's name, with the folder where another
  /// workspace has the same; the folder of one that cannot be read.
  package var titles: [String] {
    let names = workspaces.map(\.app?.name)
    return zip(workspaces, names).map { workspace, name in
      guard let name else { return workspace.folder }
      let alike = zip(workspaces, names).filter { $0.1 == name }.map(\.0.folder)
      guard alike.count > 1 else { return name }
      let lastNames = alike.map(Self.lastName)
      let isTold = Set(lastNames).count == alike.count
      return "\(name) (\(isTold ? Self.lastName(of: workspace.folder) : workspace.folder))"
    }
  }

  private static func lastName(of folder: String) -> String {
    folder.split(separator: "/").last.map(String.init) ?? folder
  }

  /// How many there are, and how many need somebody.
  package var summary: String {
    let all = NumberWords.counted(workspaces.count, "workspace")
    let unread = workspaces.count { $0.app == nil }
    let needing = apps.count(where: \.needsPerson)
    guard unread + needing > 0 else {
      return workspaces.count == 1 ? "1 workspace, and it needs nobody." : "\(all), none needs you."
    }
    let parts = [
      unread > 0 ? "\(NumberWords.grouped(unread)) cannot be read" : nil,
      needing > 0
        ? "\(NumberWords.grouped(needing)) \(needing == 1 ? "needs" : "need") you" : nil,
    ]
    return "\(all): \(parts.compactMap(\.self).joined(separator: ", "))."
  }

  /// The worst finding of each workspace, whose sentence names it, the worst first; `more` is how
  /// many others it has.
  ///
  /// A workspace that cannot be read is an error.
  var worstFindings: [(title: String, finding: Finding, more: Int)] {
    let worst = zip(titles, workspaces).compactMap { title, workspace -> (String, Finding, Int)? in
      switch workspace.content {
      case .unread(let reason):
        let finding = Finding(
          .error, "\(title) cannot be read: \(reason)", report: .overview,
          section: OverviewReport.attentionId, subject: workspace.folder)
        return (title, finding, 0)
      case .app(let app):
        return app.findings.first.map { finding in
          var named = finding
          named.sentence = "\(VisibleText.clipped(title, to: 60)): \(finding.sentence)"
          return (title, named, app.findings.count - 1)
        }
      }
    }
    return [Level.error, .warn, .notice, .pass].flatMap { level in
      worst.filter { $0.1.level == level }
    }
  }
}
