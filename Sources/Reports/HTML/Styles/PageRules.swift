extension StyleSheet {
  /// The page itself: measure, running head, title, frame and foot.
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
      margin-top: clamp(2.25rem, 6vw, 4rem); font: 400 var(--h1)/1.1 var(--serif);
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
    article + article { margin-top: 5rem; border-top: 1px solid var(--ink); break-before: page; }

    .colophon {
      margin-top: 4rem; padding: 1.25rem 0 3rem; border-top: 1px solid var(--ink);
      font-size: var(--fine); color: var(--soft);
    }
    .colophon p + p { margin-top: 0.375rem; }
    """
}
