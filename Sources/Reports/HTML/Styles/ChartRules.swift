extension StyleSheet {
  /// Drawings: a gutter for the axis, hairlines for the grid, one colour for one meaning.
  static let chartRules = """
    .key { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0.125rem 0 1rem; font-size: var(--fine); color: var(--soft); }
    .swatch::before { content: ""; display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.4375rem; background: currentColor; }
    .swatch.main::before { background: var(--accent); } .swatch.blocked::before { background: var(--blocked); }
    .drawing { display: block; overflow: visible; font: 400 0.75rem var(--sans); font-variant-numeric: tabular-nums; }
    .columns, .line, .heat { margin-left: 2.75rem; width: calc(100% - 2.75rem); }
    .bars { margin-left: 5.25rem; width: calc(100% - 15.5rem); }
    .drawing .main { fill: var(--accent); } .drawing .blocked { fill: var(--blocked); }
    .drawing .good { fill: var(--good); } .drawing .middling { fill: var(--middling); }
    .drawing .poor { fill: var(--poor); } .drawing .quiet { fill: var(--quiet); }
    .grid { stroke: var(--hair); } .base { stroke: var(--soft); }
    .tick { fill: var(--soft); } .x { text-anchor: middle; } .y { text-anchor: end; }
    .mark { fill: var(--ink); text-anchor: middle; } .mark.end { text-anchor: start; }
    .mark.far { text-anchor: end; } .label { fill: var(--ink); text-anchor: end; font-size: 0.8125rem; }
    .bars .label { letter-spacing: 0.08em; font-size: 0.875rem; }
    .label.start { text-anchor: start; font-weight: 600; } .track { fill: var(--raised); }
    .stroke { stroke: var(--accent); stroke-width: 2; } .dot { stroke: var(--paper); stroke-width: 1.5; }
    .heat rect { stroke: var(--paper); stroke-width: 2; }
    .heat-0 { fill: var(--heat-0); background: var(--heat-0); } .heat-1 { fill: var(--heat-1); background: var(--heat-1); }
    .heat-2 { fill: var(--heat-2); background: var(--heat-2); } .heat-3 { fill: var(--heat-3); background: var(--heat-3); }
    .heat-4 { fill: var(--heat-4); background: var(--heat-4); } .heat-5 { fill: var(--heat-5); background: var(--heat-5); }
    .heat-key { display: flex; gap: 2px; align-items: center; margin: 0.75rem 0 0 2.75rem; font-size: var(--fine); color: var(--soft); white-space: pre; }
    .heat-key span { width: 1.125rem; height: 0.75rem; }
    details { margin-top: 1rem; }
    summary { display: inline-block; padding: 0.25rem 0; font-size: var(--fine); color: var(--soft); cursor: pointer; }
    summary::marker { content: ""; }
    summary::after { content: " +"; } details[open] summary::after { content: " −"; }
    details .scroll { margin-top: 0.5rem; }
    figure.chart > .scroll { margin-top: 1.5rem; }
    """
}
