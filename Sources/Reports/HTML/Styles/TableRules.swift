extension StyleSheet {
  /// Tables: rules between rows, none between columns, numbers under one another.
  static let tableRules = """
    .scroll {
      overflow-x: auto; background:
        linear-gradient(to left, var(--paper) 25%, transparent) right / 2.5rem 100% no-repeat local,
        linear-gradient(to left, var(--hair), transparent) right / 0.875rem 100% no-repeat scroll;
    }
    table { border-collapse: collapse; width: 100%; font-size: var(--small); line-height: 1.45; overflow-wrap: break-word; }
    th, td { padding: 0.4375rem 1.25rem 0.4375rem 0; vertical-align: top; text-align: left; font-weight: 400; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { color: var(--soft); font-size: var(--fine); border-bottom: 1px solid var(--ink); vertical-align: bottom; }
    tbody tr + tr > * { border-top: 1px solid var(--hair); }
    .trailing { text-align: right; white-space: nowrap; }
    td.leading, tbody th { min-width: 4.5rem; max-width: 26rem; }
    .trailing + .leading { padding-left: 1rem; }
    td time, th time { white-space: nowrap; }
    .total > * { font-weight: 600; border-bottom: 1px solid var(--quiet); }
    .missing { color: var(--soft); }
    .shown-of { margin-top: 0.625rem; font-size: var(--fine); color: var(--soft); }
    .section-body > .shown-of { margin-top: 0.625rem; }
    .barred { display: flex; align-items: center; gap: 0.75rem; min-width: 8rem; }
    .barred .bar { flex: 1; min-width: 2rem; } .barred .number { min-width: 2.5rem; }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 2rem 3rem; }
    .pair h3 + * { margin-top: 0.5rem; }
    .again { color: var(--soft); } bdi.prose { display: block; min-width: 15rem; }
    bdi.short { white-space: nowrap; } bdi.long { display: inline-block; max-width: 16rem; overflow-wrap: anywhere; }
    bdi.prose, bdi.long { white-space: normal; }
    .bar rect { fill: var(--accent); }
    svg.countdown { display: block; margin: 0.5rem 0 0.125rem; min-width: 6rem; }
    svg.trend { display: block; width: 9rem; overflow: visible; }
    svg.trend rect { fill: var(--accent); }
    """
}
