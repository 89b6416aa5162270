import Model

/// Metrics in the text format of Prometheus: docs/metrics.md#file.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
struct PrometheusText {
  /// A value with the labels that distinguish it from others of its metric, in the order of the
  /// file.
  typealias Sample = (labels: [(name: String, value: String)], value: Double?)

  /// The labels that precede every sample's own labels.
  let common: [(name: String, value: String)]
  private(set) var text = ""

  /// Adds a gauge with its samples; omits samples without a value, and a gauge without samples.
  ///
  /// `name` ends with its unit; `help` is one sentence.
  mutating func add(_ name: String, _ help: String, _ samples: [Sample]) {
    let lines = samples.compactMap { sample in
      sample.value.map { "\(name)\(Self.braced(common + sample.labels)) \(Self.text(of: $0))\n" }
    }
    guard !lines.isEmpty else { return }
    text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) gauge\n" + lines.joined()
  }

  mutating func add(_ name: String, _ help: String, _ value: Double?) {
    add(name, help, [([], value)])
  }

  private static func braced(_ labels: [(name: String, value: String)]) -> String {
    let pairs = labels.map { label in
      #"\#(label.name)="\#(escaped(label.value).replacingScalars("\"", with: #"\""#))""#
    }
    return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingScalars(#"\"#, with: #"\\"#).replacingScalars("\n", with: #"\n"#)
  }

  /// Returns a value; a whole number in digits, as far as a `Double` is exact.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
    let mostWhole = 9_007_199_254_740_992.0
    return value.rounded() == value && abs(value) < mostWhole ? "\(Int64(value))" : "\(value)"
  }
}
