extension Stylesheet {
  /// The looks of the agenda, and of deliveries, answers, sinks, the config and access.
  static let views = """
    .app h2.day, .items + h2 { margin: 1.2rem 0 .4rem; }
    .at { flex: none; padding: .6rem .6rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
    .agenda .what { display: block; }
    @media (min-width: 48rem) and (not (pointer: coarse)) { .at { padding-block: .42rem; } }
    .month { width: 100%; max-width: 52rem; table-layout: fixed; border-collapse: collapse; background: var(--card); }
    .month th { padding: .4rem 0; font-size: .88rem; color: var(--quiet); }
    .month td { height: 3.6rem; padding: 0; vertical-align: top; border: 1px solid var(--line); }
    .month a { display: flex; flex-direction: column; align-items: center; gap: .1rem; min-height: 3.6rem;
      padding: .2rem 0; color: inherit; text-decoration: none; overflow-wrap: normal; }
    .month a:hover { background: var(--wash); }
    .month a[aria-current] > :first-child { padding: 0 .4rem; color: var(--on-accent); background: var(--accent);
      border-radius: 1rem; }
    form + .month { margin-top: .75rem; }
    .rings.card { padding-block: .4rem; }
    .rings.card .brief { display: inline; }
    .rings.card > li { scroll-margin: 1rem; }
    .rings.card > li:target { background: var(--wash); }
    .rings form, .rings .button { margin-top: .3rem; font-size: .94rem; font-weight: 400; }
    .filter { margin-top: 1rem; }
    .dialogue { margin: 0; overflow: auto; white-space: pre-wrap; font: .9em/1.5 ui-monospace, monospace; }
    .place { color: var(--quiet); }
    .hint + p, .hint + pre, .hint + form, .hint + [data-live] { margin-top: .7rem; }
    .secret { font-size: 1.1em; user-select: all; }
    .passkey { max-width: 26rem; }
    @media print { .filter { display: none; } }

    """
}
