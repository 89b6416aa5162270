extension StyleSheet {
  /// Colours and type sizes, each with one meaning; the dark values answer the same roles.
  static let paletteRules = """
    :root {
      color-scheme: light dark;
      --paper: #fdfcf9; --raised: #f5f2eb; --ink: #1e1d1a; --soft: #5d5850; --hair: #ddd8cc;
      --accent: #1d5b87; --blocked: #b0501c; --quiet: #8c867a;
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
        --accent: #82b6dc; --blocked: #e3935f; --quiet: #85817a;
        --good: #63bf98; --middling: #dba94f; --poor: #ef8a7f; --mark: #57491c;
        --heat-0: #1f2122; --heat-1: #22394a; --heat-2: #2d536f; --heat-3: #3f7398; --heat-4: #5f97c0;
        --heat-5: #8fc3e8;
      }
    }
    """
}
