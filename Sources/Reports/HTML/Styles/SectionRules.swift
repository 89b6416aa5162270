extension StyleSheet {
  /// Sections, their margin column, and blocks of words.
  static let sectionRules = """
    main section { margin-top: 1.75rem; }
    main section[id] { padding-top: 1rem; border-top: 1px solid var(--hair); scroll-margin-top: 1rem; }
    h2 { font: 400 var(--h2)/1.25 var(--serif); letter-spacing: -0.005em; }
    .lead { margin-top: 0.5rem; color: var(--soft); font-size: var(--small); line-height: 1.55; }
    .section-body { margin-top: 1.5rem; min-width: 0; }
    .section-body > * + * { margin-top: 2rem; }

    h3 { font: 600 var(--h3)/1.4 var(--sans); }
    .section-body > h3 + * { margin-top: 0.5rem; }
    .chart > .empty { margin-top: 0.5rem; }
    .empty, .all-well { font-family: var(--serif); font-style: italic; color: var(--soft); }

    .figures { --tiles: 3; display: grid; grid-template-columns: repeat(var(--tiles), minmax(0, 1fr)); gap: 1.75rem 2rem; }
    .of-1 { --tiles: 1; } .of-2 { --tiles: 2; } .of-4, .of-7, .of-8 { --tiles: 4; } .of-9, .of-10 { --tiles: 5; }
    .figures dt { font-size: var(--fine); color: var(--soft); }
    .figures .value { margin-top: 0.125rem; font: 400 var(--figure)/1.25 var(--serif); }
    .figures .note, .figures .change { font-size: var(--fine); color: var(--soft); }
    .figures .change { color: var(--ink); }
    .figures .course { margin-top: 0.5rem; } .figures .trend { width: min(9rem, 100%); border-bottom: 1px solid var(--hair); }
    .headline { margin-top: 2.25rem; padding-top: 1.25rem; border-top: 1px solid var(--hair); }

    .findings li { display: grid; grid-template-columns: 1.25rem 4.5rem minmax(0, 1fr); padding: 0.4375rem 0; }
    .findings li + li { border-top: 1px solid var(--hair); }
    .findings a { color: var(--ink); text-decoration-color: var(--quiet); }
    .findings .support { font-size: var(--small); color: var(--soft); }
    .level-word { font-size: var(--small); line-height: 1.7; color: var(--soft); }
    .sign { display: inline-block; width: 1.25rem; font-size: 0.75em; line-height: 2; }
    .level .sign { width: 1.125rem; line-height: 1; font-size: 0.8125em; }
    .pass .sign { color: var(--good); } .notice .sign { color: var(--soft); }
    .warn .sign { color: var(--middling); } .error .sign { color: var(--poor); }
    .level { white-space: nowrap; }

    .definitions { font-size: var(--small); display: grid; gap: 0.375rem; max-width: 44rem; }
    .definitions div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 1rem; }
    .definitions dt { font-weight: 600; } .definitions dd { color: var(--soft); }

    .contents { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.5rem 2.5rem; }
    .contents h3 { font-weight: 400; }
    .contents a { font: 400 1.25rem/1.3 var(--serif); }
    .contents p { margin-top: 0.25rem; font-size: var(--small); }
    .contents .fine { font-size: var(--fine); }

    .feedback { display: grid; gap: 1.75rem; max-width: 42rem; }
    .given { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; font-size: var(--small); }
    .verdict { color: var(--soft); }
    .feedback blockquote { margin: 0.25rem 0 0.375rem; font: 400 var(--lead)/1.55 var(--serif); white-space: pre-line; }
    .stars { letter-spacing: 0.08em; white-space: nowrap; }
    .stars-1, .stars-2 { color: var(--poor); } .stars-3 { color: var(--middling); }
    .stars-4, .stars-5 { color: var(--good); }
    """
}

extension StyleSheet {
  /// Tables: lines between rows, none between columns, numbers aligned.
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
    .page-search td.leading { max-width: none; }
    .excerpt { display: block; min-width: 15rem; font-size: var(--fine); color: var(--soft); }
    .bar rect { fill: var(--series); }
    svg.countdown { display: block; margin: 0.5rem 0 0.125rem; min-width: 6rem; }
    svg.countdown .track { fill: var(--hair); } svg.countdown .left { fill: var(--accent); }
    svg.trend { display: block; width: 9rem; overflow: visible; }
    svg.trend rect { fill: var(--series); }
    """
}

extension StyleSheet {
  /// Drawings: a gutter for the axis, hairlines for the grid, one meaning a colour.
  static let chartRules = """
    .key { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0.125rem 0 1rem; font-size: var(--fine); color: var(--soft); }
    .swatch::before { content: ""; display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.4375rem; background: currentColor; }
    .swatch.main::before { background: var(--series); }
    .swatch.blocked::before { background: repeating-linear-gradient(45deg, var(--paper) 0 1.5px, var(--blocked) 1.5px 5px); }
    .blocked-ground { fill: var(--blocked); } .blocked-stripe { fill: var(--paper); }
    .absent-ground { fill: var(--paper); } .absent-stripe { fill: var(--hair); }
    .drawing .uncovered, .drawing .heat-none { fill: url(#hatch-absent); }
    .heat-key .heat-none { background: repeating-linear-gradient(45deg, var(--hair) 0 1.5px, var(--paper) 1.5px 5px); }
    .marked { stroke: var(--ink); stroke-dasharray: 2 3; }
    .marks { margin-top: 0.25rem; padding-left: 1.25rem; list-style: decimal; font-size: var(--fine); color: var(--soft); }
    .points { font: 400 var(--lead)/1.5 var(--serif); } .chart > .unit { font-size: var(--fine); color: var(--soft); }
    .drawing { display: block; overflow: visible; font: 400 0.75rem var(--sans); font-variant-numeric: tabular-nums; }
    .columns, .line, .heat { margin-left: 2.75rem; width: calc(100% - 2.75rem); }
    .bars { margin-left: 5.25rem; width: calc(100% - 15.5rem); }
    .drawing .main { fill: var(--series); } .drawing .blocked { fill: url(#hatch-blocked); }
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
    .fold h3 { display: inline; color: var(--ink); } .fold > .definitions { margin-top: 0.5rem; }
    .section-body > .fold + .fold { margin-top: 0.5rem; }
    details .scroll { margin-top: 0.5rem; }
    figure.chart > .scroll { margin-top: 1.5rem; }
    """
}
