extension Stylesheet {
  /// The looks of pages of one column, such as those that links in messages lead to.
  static let answers = """
    main:not(.app) {
      position: relative; max-width: 36rem; margin: clamp(0rem, 4vw, 3rem) auto; padding: clamp(1rem, 5vw, 2.25rem);
      background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
    }
    @media (max-width: 30rem) { main:not(.app) { min-height: 100vh; margin: 0; border: 0; border-radius: 0; } }
    :where(main:not(.app)) button:not(.small) { width: 100%; min-height: 3rem; padding: .6rem 1.1rem; }
    .list { margin: 0 0 .25rem; color: var(--quiet); font-weight: 600; }
    .quiet { color: var(--quiet); font-size: .9rem; }
    dd span, dd strong { display: inline-block; }
    dd strong { color: var(--danger); }
    .notice p + h2 { margin-top: 1rem; }
    .buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0 0 1.5rem; }
    .buttons .first { flex: 1 0 100%; }
    .buttons .next { flex: 1 1 12rem; min-width: 0; }
    .apart { margin: 2rem 0 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
    .apart p { margin-bottom: .75rem; }
    .note { display: block; margin: .5rem 0 0; color: var(--quiet); font-size: .9rem; }
    footer { margin-top: 2rem; color: var(--quiet); font-size: .9rem; }
    footer p { margin: 0; }
    .decoy[hidden] { display: block; position: absolute; inset-block-start: 0; width: 1px; height: 1px; margin: 0;
      overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .decoy button { width: 1px; min-height: 1px; padding: 0; border: 0; }
    @media print { main:not(.app) { border: 0; } form, .buttons, .apart, .note { display: none; } }

    """
}
