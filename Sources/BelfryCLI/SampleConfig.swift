/// The commented config that `belfry init` writes.
enum SampleConfig {
  /// The store's path in it.
  static let storePath = "~/.local/share/belfry/belfry.sqlite"

  /// The lines about the store in it.
  static let store = "  type: sqlite\n  path: \(storePath)      # made at the first write\n"

  /// Config/belfry.yaml without its line for editors; a test compares them.
  static let text = #"""
    # Belfry's config with every key.
    #
    # Copy it to ~/.config/belfry/config.yaml (or /etc/belfry/config.yaml, or name it with --config or $BELFRY_CONFIG) and
    # keep what you need: every section may be left out, and an empty file is the default. `belfry config check` reports
    # every error in it, with its line and column.
    #
    # Relative paths start from this file's folder, ~ is your home folder, and nothing else in a value is expanded.
    # Durations are written 10m, 1h30m, 2d or 1w. Text that YAML would read as another type needs quotes: "no", "42".

    # The store of the items.
    store:
      type: sqlite
      path: ~/.local/share/belfry/belfry.sqlite      # made at the first write

    # The list of `belfry add` without -l; made when it is first needed.
    default_list: Inbox

    # The time of day that a bare date such as 2026-12-24 means.
    default_time: "09:00"

    # The zone of items without one of their own: local (the machine's) or a name such as Europe/Zurich.
    time_zone: local

    # Reminders that were missed while no daemon was running.
    missed:
      policy: once           # once: the latest of each item; all: every one, oldest first; skip: none
      grace: 10m             # up to this late a reminder is late, not missed, under every policy
      max_age: 7d            # older ones never fire

    # The sound of an alert, and the text of its button.
    alert:
      sound: default
      action: View list

    # The sinks that reminders go to. The names are yours; routes refer to them.
    sinks:
      terminal:
        type: stdout
        format: text         # text: for people; json: a webhook's body, one on each line
        enabled: true        # false: this sink gets nothing
        retry:
          max_age: 24h       # a delivery that fails for so long is given up, and stays visible as dead
        # quiet_hours:       # messages in these hours of the day are held until they end
        #   from: "22:00"
        #   to: "07:00"
        # rate_limit: 60/m   # the most attempts started in a second (s), minute, hour or day
        # on_failure: other  # the sink for failure notices, when a delivery is given up

    # The people whom reminders reach. Routes and escalations name them, and each gets what is sent to them through sinks of
    # their own.
    # people:
    #   anna:
    #     sinks: [terminal, mail]              # what reaches her
    #     address: anna@example.org            # for sinks that mail; their own `to` where absent
    #     quiet_hours:                         # held for her until they end, as for a sink
    #       from: "22:00"
    #       to: "07:00"
    #     away:                                # nothing is sent to her: whole days, both included, or up to a minute
    #       - from: 2026-12-24
    #         until: 2027-01-02 18:00

    # Who is asked, one after another, until somebody answers. The first step is the reminder itself, and goes to its people
    # in place of the routes.
    # escalations:
    #   home:
    #     - to: [anna]                         # people, or sinks
    #     - after: 10m                         # counted from the first step
    #       to: [ben]
    #     - after: 30m
    #       to: [anna, ben]
    #       every: 10m                         # rings until somebody answers or the next step begins,
    #       times: 6                           # at most so often; 24 where absent

    # Actions on a reminder. An item refers to a category by its name: `belfry add … --category shopping`.
    categories:
      shopping:
        alert:               # in place of the alert above, either key or both
          sound: bell
          action: Open list
        actions:             # at most 4
          - identifier: ok                     # unique in its category
            title: OK, got it                  # the text of its button
            do: acknowledge                    # none, acknowledge, check, snooze, edit, delete, clear_list or delete_list
          - identifier: later
            title: In an hour
            do: snooze
            for: 1h                            # with snooze only; 10m where absent
            activation: background             # background, or foreground: brings up a program
          - identifier: edit
            title: Edit list
            do: edit
            activation: foreground
            authentication_required: true      # the user must authenticate first
          - identifier: trash
            title: Delete list
            do: clear_list
            destructive: true                  # shown and confirmed as such
            authentication_required: true
        minimal: [trash, edit]                 # at most 2, for small displays; the first two where absent
        # escalation: home                     # who is asked until somebody answers
        # again_after: 1h                      # after `acknowledge` it rings again, while the item is open,
        # again: always                        # each time; once: after the first alone
        # notify_on_answer: true               # whether those who were asked hear of the answer

    # Actions on an item's reminder whose category has none; `done` and `later` are what it offers anyway. A list's own
    # reminder offers `ack` and `later`.
    actions:
      - identifier: done
        title: Done
        do: check
      - identifier: later
        title: Later
        do: snooze
        for: 10m

    # Rules for lists, by name as in routes; the first that matches applies. What a category says comes before.
    # lists:
    #   "Family*":
    #     escalation: home                     # with again_after, again and notify_on_answer as in a category

    # The people and sinks of each reminder. The first route that matches decides; with `continue: true` the routes after it
    # are tried as well. A reminder that matches no route goes to every enabled sink.
    routes:
      - lists: [Work, "Project *"]             # * any characters, ? one; without regard to case; any list where absent
        categories: [shopping]                 # any category, or none, where absent
        sinks: [terminal]                      # people, too; [] sends such reminders nowhere
        continue: false
      - sinks: [terminal]

    # Answers to reminders from where they rang.
    answers:
      valid_for: 7d                            # how long links and buttons work
      links: true                              # whether messages carry links, once web.public_url says how they begin
      # key_file: ~/answer-keys                # the keys that sign them; $XDG_STATE_HOME/belfry/answer-keys where absent

    # The web face, which `belfry web` starts; with this section `belfry service install` sets it up as well. Beyond this
    # machine it needs a proxy with https in front of it.
    # web:
    #   listen: 127.0.0.1:8787                 # or unix:/run/user/1000/belfry.sock
    #   socket_mode: user                      # who may connect to a unix: socket; group: the users of its group too
    #   public_url: https://belfry.example.org # how links in messages begin
    #   trusted_proxies: []                    # whose X-Forwarded-For tells who asks
    #   # A proxy that signs people in names them in a header, and shows a secret where others can connect as well:
    #   # proxy_secret, proxy_secret_file, proxy_secret_env or proxy_secret_credential.
    #   user_header: Remote-User
    #   proxy_secret_file: proxy-secret        # sent as X-Belfry-Proxy-Secret
    #   proxy_secret:
    #   proxy_secret_env:
    #   proxy_secret_credential:

    # How long finished deliveries are kept for `belfry deliveries` and `belfry explain`.
    history: 30d

    # A monitoring service that the daemon reports to, and that notices when it stops (healthchecks.io and the like).
    # The URL is a secret: url, url_file, url_env or url_credential.
    # heartbeat:
    #   url_file: heartbeat-url
    #   url:
    #   url_env:
    #   url_credential:
    #   every: 5m

    # A file of metrics that the daemon writes each minute, for node_exporter's textfile collector.
    # metrics:
    #   file: /var/lib/node_exporter/belfry.prom

    """#
}
