/// Where the files go that say how a workspace does; see `docs/metrics.md`.
package struct MetricsConfig: Hashable, Sendable {
  /// For node_exporter's textfile collector, relative to the workspace; nil writes none.
  package var file: String?
  /// The page for other programs, likewise.
  package var json: String?

  static let options = OptionKeys(
    MetricsConfig(),
    [
      .key(
        "file", \.file,
        .text(wanted: "a path that ends in .prom, since node_exporter reads no other file") {
          $0.hasSuffix(".prom")
        }),
      .key("json", \.json, .text),
    ])
}
