extension Stylesheet {
  /// The looks of pages for who has signed in.
  static let pages = """
    .skip { position: absolute; inset-inline-start: .5rem; top: -10rem; z-index: 2; padding: .6rem 1rem;
      background: var(--card); border: 1px solid var(--edge); }
    .skip:focus { top: .5rem; }
    .top { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1.1rem; padding: .5rem max(1rem, 50% - 36rem);
      background: var(--card); border-bottom: 1px solid var(--line); font-size: .94rem; }
    .top a { display: inline-flex; align-items: center; min-height: 2.75rem; color: inherit; text-decoration: none; }
    .top a:hover { text-decoration: underline; }
    .brand { font-weight: 700; letter-spacing: .01em; }
    .top nav { display: flex; flex-wrap: wrap; gap: 0 1.1rem; margin-inline-end: auto; }
    .top a[aria-current] { box-shadow: inset 0 -.18rem var(--accent); }
    .search { display: flex; flex: 0 1 20rem; gap: .4rem; min-width: 0; }
    .search button, .who button { flex: none; overflow-wrap: normal; }
    .who { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; color: var(--quiet); min-width: 0; }
    .top button { padding-inline: .8rem; font-weight: 400; }
    @media (hover: none) { .who > button { display: none; } }
    @media (max-width: 62rem) { .search { flex: 1 1 14rem; } }
    @media (max-width: 40rem) {
      .search { order: 1; flex: 1 0 100%; }
      .who { margin-inline-start: auto; }
      .top nav { order: 1; flex: 1 0 100%; justify-content: space-between; gap: 0 .6rem; }
    }
    .app { max-width: 74rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; outline: 0; }
    .app h1 { margin-bottom: .75rem; font-size: clamp(1.35rem, 1.15rem + 1vw, 1.7rem); }
    .app h1.long { font-size: 1.1rem; max-height: 30rem; overflow: auto; }
    .app h3 { margin: .9rem 0 .25rem; font-size: 1rem; }
    .trail { margin-bottom: .4rem; font-size: .94rem; }
    .trail a { display: inline-block; padding: .6rem 0; }
    .trail a + a::before { content: "/"; display: inline-block; padding: 0 .5rem; color: var(--quiet); }
    strong { font-weight: 650; }
    .facts strong, .counts strong, .when strong, .error, .state.bad { color: var(--danger); }
    .facts, .when, .counts, .next, .hint, .empty, .sub { color: var(--quiet); }
    .facts { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1rem; }
    .empty { padding: 1rem 0; }
    .app .notice { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem;
      margin-bottom: 1rem; padding: .6rem 1rem; }
    .app .notice p { margin: 0; flex: 1 1 12rem; min-width: 0; }
    .brief { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
    .notice .brief { display: inline; }

    .lists, .items, .rings { list-style: none; background: var(--card); border: 1px solid var(--line);
      border-radius: .7rem; }
    .lists li, .items li, .rings > li { margin: 0; border-top: 1px solid var(--line); }
    .lists li:first-child, .items li:first-child, .rings > li:first-child { border-top: 0; }
    .lists li { position: relative; display: grid; grid-template-columns: 1fr; gap: .1rem 1.5rem; padding: .7rem 1rem; }
    .lists a { font-weight: 600; color: inherit; text-decoration: none; }
    .lists a::after { content: ""; position: absolute; inset: 0; }
    .lists li:hover { background: var(--wash); }
    .lists a:focus-visible { outline: 0; }
    .lists a:focus-visible::after { outline: .2rem solid var(--accent); outline-offset: -.2rem; border-radius: .7rem; }
    .counts { display: flex; gap: 0 1rem; flex-wrap: wrap; }
    @media (min-width: 48rem) {
      .lists li { grid-template-columns: minmax(0, 1fr) 13rem 14rem; padding-block: .5rem; align-items: baseline; }
    }

    .items li { position: relative; display: flex; align-items: flex-start; padding: .15rem .25rem; scroll-margin: 1rem; }
    /* Rows out of sight cost no layout. An open menu reaches out of its row. */
    .items li:not(:has([open])) { content-visibility: auto; contain-intrinsic-size: auto 3.6rem; }
    .items li:target { background: var(--wash); }
    .what { flex: 1; min-width: 0; padding: .6rem .25rem; }
    .what > a { color: inherit; text-decoration: none; }
    .what > a:hover { text-decoration: underline; }
    .when { display: flex; flex-wrap: wrap; gap: 0 .9rem; margin: 0; font-size: .94rem; }
    .done .what > .brief { color: var(--quiet); text-decoration: line-through; }
    .check, .more > summary { flex: none; display: grid; place-items: center; width: 2.75rem; min-height: 2.75rem;
      padding: 0; background: none; border: 0; border-radius: .6rem; cursor: pointer; list-style: none; }
    .check::before { content: ""; display: grid; place-items: center; width: 1.35rem; height: 1.35rem; color: var(--card);
      border: .13rem solid var(--edge); border-radius: .35rem; font: 700 .95rem/1 system-ui, sans-serif; }
    button.check:hover::before { border-color: var(--accent); background: var(--wash); }
    .done .check::before { content: "✓"; background: var(--quiet); border-color: var(--quiet); }
    .more { flex: none; }
    .more > summary::before { content: "⋯"; font-size: 1.3rem; color: var(--quiet); }
    .more > summary::-webkit-details-marker { display: none; }
    .more > summary:hover, .more[open] > summary { background: var(--wash); }
    .more[open] > div { position: absolute; z-index: 1; inset-inline-end: .25rem; top: 100%; display: flex; flex-wrap: wrap;
      justify-content: flex-end; gap: .4rem; max-width: calc(100% - .5rem); padding: .6rem; background: var(--card);
      border: 1px solid var(--edge); border-radius: .7rem; box-shadow: 0 .3rem 1rem #0003; }
    .more button, .more a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .3rem .8rem;
      font-size: .94rem; font-weight: 400; text-decoration: none; border: 1px solid var(--edge); border-radius: .5rem; }
    .views { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 .75rem; font-size: .94rem; }
    .views a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .9rem; text-decoration: none;
      border: 1px solid var(--line); border-radius: 2rem; background: var(--card); }
    .views a[aria-current] { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
    .items + .views, form + .views { margin-top: .75rem; }

    input:not([type=checkbox], [type=radio]), select, textarea { width: 100%; min-width: 0; min-height: 2.75rem; padding: .45rem .7rem;
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; }
    input[type=checkbox], input[type=radio] { flex: none; width: 1.35rem; height: 1.35rem; margin: 0; accent-color: var(--accent); }
    textarea { display: block; min-height: 6rem; resize: vertical; }
    label { display: block; margin-bottom: .2rem; font-size: .94rem; font-weight: 600; }
    .mark { display: flex; align-items: center; gap: .7rem; min-height: 2.75rem; margin: 0; }
    .field { margin-bottom: .9rem; min-width: 0; }
    .hint { margin: .2rem 0 0; font-size: .88rem; }
    .error { margin: .25rem 0 0; font-weight: 600; }
    .wrong input, .wrong select, .wrong textarea { border: .13rem solid var(--danger); }
    .faults { margin: 0 0 1rem; padding: .7rem 1rem; color: var(--danger); background: var(--danger-wash);
      border-inline-start: .3rem solid var(--danger); border-radius: .4rem; }
    .faults p:last-child { margin: 0; }
    .said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    dialog { width: min(30rem, 100%); padding: 1.2rem; color: inherit; background: var(--card);
      border: 1px solid var(--edge); border-radius: .7rem; }
    dialog::backdrop { background: #0008; }
    .line > .wide { grid-column: 1 / -1; grid-row: 5; }
    .echo { margin-bottom: .9rem; padding: .7rem 1rem; background: var(--wash); border-radius: .5rem; }
    .echo p { margin: 0 0 .3rem; }
    .echo ol { margin: 0; padding-inline-start: 1.2rem; }
    .echo li { margin: 0; }
    .line { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .6rem; margin-bottom: 1rem; }
    .line .field { display: contents; }
    .line label { grid-column: 1 / -1; }
    .line .hint, .line .error { grid-column: 1 / -1; grid-row: 3; }
    .line .error { grid-row: 4; }
    .line button { grid-column: 2; grid-row: 2; }
    .lists + .line, [data-live] + .line { margin-top: 1.5rem; max-width: 36rem; }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: 0 1rem; }
    fieldset { min-width: 0; margin: 0 0 1rem; padding: .6rem 1rem .2rem; border: 1px solid var(--line);
      border-radius: .6rem; }
    legend { padding: 0 .4rem; font-weight: 600; }
    .choice { grid-column: 1 / -1; border-color: var(--danger); }
    .choice q { overflow-wrap: anywhere; white-space: pre-line; font-weight: 400; }
    .app > form.item { max-width: 52rem; }
    .card, .app > form.item { margin: 0 0 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line);
      border-radius: .7rem; }
    .card h2 { margin-bottom: .6rem; }
    .card .rings { border: 0; background: none; }
    .card > :last-child, .lead:last-child, .card form > .actions { margin-bottom: 0; }
    .actions { display: flex; flex-wrap: wrap; align-items: flex-start; gap: .6rem; margin: 0 0 1rem; }
    .button { display: inline-flex; align-items: center; text-decoration: none; }
    .snooze { display: flex; flex: 1 1 15rem; flex-wrap: wrap; gap: .4rem; max-width: 46rem; }
    .snooze button { font-weight: 400; }
    .until { display: flex; gap: .4rem; align-items: flex-start; flex: 1 1 15rem; min-width: 0; }
    .until .field { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; margin: 0; flex: 1; }
    .until label { margin: 0; font-weight: 400; white-space: nowrap; }
    .until input { flex: 1; width: 5rem; min-width: 4rem; }
    .until .error { flex: 1 0 100%; }
    .until button { flex: none; }
    .columns { display: grid; gap: 0 1.5rem; }
    .columns > * { min-width: 0; }
    @media (min-width: 62rem) { .columns { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); align-items: start; } }
    .reasons { padding-inline-start: .2rem; }
    .lead { font-weight: 600; }
    .rings > li { padding: .6rem 0; }
    .rings p { margin: 0; }
    .sub { margin: .2rem 0 0; padding-inline-start: 1rem; font-size: .94rem; }
    .sub summary { padding: .5rem 0; cursor: pointer; }
    .sub ol { margin: 0; padding-inline-start: 1.2rem; }
    .sub li { margin: 0; }
    .state { display: inline-block; padding: 0 .5rem; font-size: .88rem; border: 1px solid currentColor;
      border-radius: 1rem; }
    @media (min-width: 48rem) and (not (pointer: coarse)) {
      .items li { padding-block: 0; }
      .what { display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: space-between; padding-block: .42rem; }
      .check, .more > summary { width: 2.4rem; min-height: 2.4rem; }
      .more button, .more a, .views a { min-height: 2.1rem; }
    }
    @media print {
      :root { color-scheme: light; }
      body { background: none; }
      .hint, .top, .skip, .trail, .views, .more, .line, .actions, #status, .facts a { display: none; }
      .app form:has(.items), .app form.item { display: block; }
      .app { max-width: none; padding: 0; }
      .items, .lists, .card { border: 0; padding: 0; }
      .items li, .rings > li { break-inside: avoid; }
      .check { display: grid; }
      .brief { display: block; }
    }

    """
}
