extension StyleSheet {
  /// Colours and type sizes by their roles, for light and dark screens.
  static let paletteRules = """
    :root {
      color-scheme: light dark;
      --paper: #fdfcf9; --raised: #f5f2eb; --ink: #1e1d1a; --soft: #5d5850; --hair: #ddd8cc;
      --accent: #1d5b87; --series: #123f60; --blocked: #c97a3f; --quiet: #8c867a;
      --good: #1b7551; --middling: #93610a; --poor: #b3342b; --mark: #f6e3a8;
      --heat-0: #f3f0e8; --heat-1: #d3e0ea; --heat-2: #a5c1d6; --heat-3: #709cbd; --heat-4: #417aa3;
      --heat-5: #1d5b87;
      --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052,
        "Noto Serif", Georgia, serif;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif;
      --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
      --fine: 0.8125rem; --small: 0.875rem; --body: 1rem; --lead: 1.0625rem; --h3: 1rem;
      --h2: 1.375rem; --figure: 1.75rem; --h1: clamp(2.25rem, 5vw, 3.25rem);
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --paper: #161718; --raised: #1f2122; --ink: #e9e6df; --soft: #aca79c; --hair: #37383a;
        --accent: #82b6dc; --series: #a9d0ee; --blocked: #a35a2c; --quiet: #85817a;
        --good: #63bf98; --middling: #dba94f; --poor: #ef8a7f; --mark: #57491c;
        --heat-0: #1f2122; --heat-1: #22394a; --heat-2: #2d536f; --heat-3: #3f7398; --heat-4: #5f97c0;
        --heat-5: #8fc3e8;
      }
    }
    """
}

extension StyleSheet {
  /// The page: measure, running head, title, context and foot.
  static let pageRules = """
    *, *::before, *::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0 auto; max-width: 76rem; padding: 0 clamp(1.125rem, 5vw, 4rem);
      background: var(--paper); color: var(--ink); font: 400 var(--body)/1.5 var(--sans);
      font-variant-numeric: tabular-nums lining-nums; overflow-wrap: anywhere;
    }
    p, dl, dd, ul, ol, figure, blockquote, h1, h2, h3 { margin: 0; padding: 0; }
    ul, ol { list-style: none; }
    a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
    a:hover { text-decoration-thickness: 2px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
    code { font: 0.92em var(--mono); }
    .skip { position: absolute; left: -100vw; top: 0; padding: 0.5rem 1rem; background: var(--paper); }
    .skip:focus { left: 1rem; z-index: 1; }
    .fine { font-size: var(--fine); color: var(--soft); }

    .running-head {
      display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
      gap: 0.25rem 2rem; padding: 1.25rem 0 0.75rem; border-bottom: 1px solid var(--ink);
      font-size: var(--small);
    }
    .app { font: italic 400 var(--lead)/1.5 var(--serif); }
    nav ul { display: flex; flex-wrap: wrap; gap: 0.125rem 1.375rem; }
    nav a { display: inline-block; padding: 0.25rem 0; color: var(--soft); text-decoration: none; }
    nav a:hover { color: var(--ink); text-decoration: underline; }
    nav a[aria-current] { color: var(--ink); box-shadow: inset 0 -2px var(--accent); }

    h1 {
      margin-top: clamp(1.75rem, 4vw, 2.25rem); font: 400 var(--h1)/1.1 var(--serif);
      letter-spacing: -0.015em;
    }
    .summary {
      margin-top: 0.75rem; max-width: 46rem; font: 400 clamp(1.125rem, 2vw, 1.3125rem)/1.5 var(--serif);
      text-wrap: pretty;
    }
    .frame {
      display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin-top: 1.5rem; font-size: var(--fine);
    }
    .frame dt { color: var(--soft); }
    .page-contents { margin-top: 1.25rem; font-size: var(--fine); }
    .permalink { color: inherit; text-decoration: none; } .permalink:hover { text-decoration: underline; }
    .patterns { position: absolute; }
    article + article { margin-top: 5rem; border-top: 1px solid var(--ink); break-before: page; }

    .colophon {
      margin-top: 4rem; padding: 1.25rem 0 3rem; border-top: 1px solid var(--ink);
      font-size: var(--fine); color: var(--soft);
    }
    .colophon p + p { margin-top: 0.375rem; }
    """
}

extension StyleSheet {
  /// The controls that scripts add: as quiet as labels, and absent on paper.
  static let controlRules = """
    [hidden] { display: none !important; }
    .tools {
      display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; margin-bottom: 0.75rem;
      font-size: var(--fine); color: var(--soft);
    }
    .tools p { flex-basis: 100%; } .tools p:empty { display: none; }
    .tools input, .tools select, .tools button {
      min-height: 1.75rem; padding: 0.125rem 0; border: 0; border-bottom: 1px solid var(--quiet); border-radius: 0;
      background: transparent; color: var(--ink); font: inherit; font-variant-numeric: inherit;
    }
    .tools input[type="search"] { width: 12rem; } .tools option { background: var(--paper); }
    .tools select { max-width: 9rem; } .tools button { border-color: transparent; color: var(--accent); text-decoration: underline; text-underline-offset: 0.2em; cursor: pointer; }
    .tools button:disabled { color: var(--soft); text-decoration: none; cursor: default; }
    .sort { position: relative; margin: -0.125rem 0; padding: 0.125rem 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer; }
    .sort:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 0.2em; }
    [aria-sort] { color: var(--ink); } [aria-sort] .sort::after { content: "↑"; position: absolute; left: 100%; margin-left: 0.1875rem; }
    [aria-sort="descending"] .sort::after { content: "↓"; }
    .trailing[aria-sort] .sort::after { left: auto; right: 100%; margin: 0 0.1875rem 0 0; }
    mark { background: var(--mark); color: var(--ink); }
    @media print { .tools:not(.narrowed), .tools label, .tools button, .sort::after { display: none; } }
    """
}
