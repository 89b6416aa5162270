extension StyleSheet {
  /// Tables: rules between rows, none between columns, numbers under one another.
  static let tableRules = """
    .scroll { overflow-x: auto; margin-inline: -0.25rem; padding-inline: 0.25rem; }
    table { border-collapse: collapse; width: 100%; font-size: var(--small); line-height: 1.45; }
    th, td { padding: 0.4375rem 1.25rem 0.4375rem 0; vertical-align: top; text-align: left; font-weight: 400; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { color: var(--soft); font-size: var(--fine); border-bottom: 1px solid var(--ink); vertical-align: bottom; }
    tbody tr + tr > * { border-top: 1px solid var(--hair); }
    .trailing { text-align: right; white-space: nowrap; }
    td.leading, tbody th { min-width: 5.5rem; max-width: 26rem; }
    td time, th time { white-space: nowrap; }
    .total > * { font-weight: 600; border-bottom: 1px solid var(--quiet); }
    .missing { color: var(--soft); }
    .shown-of { margin-top: 0.625rem; font-size: var(--fine); color: var(--soft); }
    .section-body > .shown-of { margin-top: 0.625rem; }
    .bar-cell { min-width: 8rem; } .bar { display: block; margin-top: 0.1875rem; }
    .bar rect { fill: var(--accent); }
    svg.countdown { display: block; margin: 0.5rem 0 0.125rem; min-width: 6rem; }
    svg.trend { display: block; width: 9rem; overflow: visible; }
    svg.trend rect { fill: var(--accent); }
    """
}
