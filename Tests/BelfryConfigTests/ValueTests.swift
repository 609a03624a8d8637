import BelfryConfig
import BelfryEngine
import ConfigKeys
import Testing

@Suite("Values of the wrong kind are refused")
struct ValueTests {
  @Test(
    "text is text: what YAML takes for something else needs quotes",
    arguments: [
      Complaint(
        "default_list: no\n", "x.yaml:1:15: error: expected text, found the truth value 'no'; put it in quotes"),
      Complaint(
        "default_list: On\n", "x.yaml:1:15: error: expected text, found the truth value 'On'; put it in quotes"),
      Complaint("default_list: 2024\n", "x.yaml:1:15: error: expected text, found the number '2024'; put it in quotes"),
      Complaint("default_list: 1e3\n", "x.yaml:1:15: error: expected text, found the number '1e3'; put it in quotes"),
      Complaint(
        "default_list: -.inf\n", "x.yaml:1:15: error: expected text, found the number '-.inf'; put it in quotes"),
      Complaint("default_list: ~\n", "x.yaml:1:15: error: expected text, found nothing"),
      Complaint("default_list:\n", "x.yaml:1:14: error: expected text, found nothing"),
      Complaint("default_list: [A]\n", "x.yaml:1:15: error: expected text, found a list"),
      Complaint("default_list: { a: b }\n", "x.yaml:1:15: error: expected text, found a section"),
      Complaint("default_list: \" \"\n", "x.yaml:1:15: error: the text is empty"),
      Complaint(
        "default_list: \"a\\nb\"\n", "x.yaml:1:15: error: the text holds a line break, which one line cannot have"),
      Complaint("default_list: \"a\\0b\"\n", "x.yaml:1:15: error: a NUL character is not allowed here"),
    ])
  func text(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "text in quotes, and text that only looks odd, is taken as it is",
    arguments: [
      ("\"no\"", "no"), ("'2024'", "2024"), ("22:30", "22:30"), ("2026-12-24", "2026-12-24"), ("1.2.3", "1.2.3"),
      ("0x", "0x"), ("$HOME/%d {{x}}", "$HOME/%d {{x}}"), ("nope", "nope"), ("\"\\u00e4\"", "ä"), ("+", "+"),
      ("y", "y"),
      ("\"~\"", "~"), ("' a '", "a"), ("1_000", "1_000"), ("a: b".debugDescription, "a: b"),
    ])
  func textAsItIs(written: String, read: String) throws {
    #expect(try Fixture.load("default_list: \(written)\n").settings.defaultList == read)
  }

  @Test(
    "times, zones and durations are checked",
    arguments: [
      Complaint("default_time: 9:00\n", "x.yaml:1:15: error: expected a time such as 09:00, found '9:00'"),
      Complaint("default_time: 24:00\n", "x.yaml:1:15: error: expected a time such as 09:00, found '24:00'"),
      Complaint("default_time: 900\n", "x.yaml:1:15: error: expected a time such as 09:00, found '900'"),
      Complaint(
        "time_zone: Europe/Zurch\n",
        "x.yaml:1:12: error: unknown time zone 'Europe/Zurch'; did you mean 'Europe/Zurich'?"),
      Complaint(
        "time_zone: ../../etc/passwd\n",
        "x.yaml:1:12: error: unknown time zone '../../etc/passwd': write local or an IANA name such as Europe/Zurich"),
      Complaint(
        "history: 30\n", "x.yaml:1:10: error: expected a duration such as 10m, 1h30m, 2d or 1w, found '30'"),
      Complaint(
        "history: 0m\n",
        "x.yaml:1:10: error: '0m' is less than a minute: write for example 10m, 1h30m, 2d or 1w"),
      Complaint(
        "missed: { grace: 30s }\n", "x.yaml:1:18: error: expected a duration of at least 1m, found '30s'"),
      Complaint(
        "missed: { grace: 5 m }\n", "x.yaml:1:18: error: expected a duration of at least 1m, found '5 m'"),
      Complaint(
        "missed: { grace: 30m1h }\n", "x.yaml:1:18: error: expected a duration of at least 1m, found '30m1h'"),
      Complaint(
        "missed: { grace: 99999999999999999999w }\n",
        "x.yaml:1:18: error: expected a duration of at least 1m, found '99999999999999999999w'"),
      Complaint(
        "missed: { policy: onec }\n",
        "x.yaml:1:19: error: expected one of once, all, skip, found 'onec'; did you mean 'once'?"),
      Complaint("missed: { policy: no }\n", "x.yaml:1:19: error: expected one of once, all, skip, found 'no'"),
      Complaint("missed: once\n", "x.yaml:1:9: error: expected a section of keys, found 'once'"),
      Complaint("missed:\n", "x.yaml:1:8: error: expected a section of keys, found nothing"),
    ])
  func times(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "an address to listen on and the public URL are checked, alone and together",
    arguments: [
      Complaint(
        "web: { listen: example.org:80 }\n",
        "x.yaml:1:16: error: expected 127.0.0.1:8787, [::1]:8787 or unix:/path, found 'example.org:80'"),
      Complaint(
        "web: { listen: 127.0.0.1:65536 }\n",
        "x.yaml:1:16: error: expected 127.0.0.1:8787, [::1]:8787 or unix:/path, found '127.0.0.1:65536'"),
      Complaint(
        "web: { listen: unix:belfry.sock }\n",
        "x.yaml:1:16: error: expected 127.0.0.1:8787, [::1]:8787 or unix:/path, found 'unix:belfry.sock'"),
      Complaint(
        "web: { listen: 0.0.0.0:80 }\n",
        "x.yaml:1:16: error: listening on 0.0.0.0:80 needs a 'public_url' with https, and a proxy that provides it"),
      Complaint(
        "web: { listen: \"[::]:80\", public_url: http://localhost }\n",
        "x.yaml:1:16: error: listening on [::]:80 needs a 'public_url' with https, and a proxy that provides it"),
      Complaint(
        "web: { public_url: http://belfry.example.org }\n",
        "x.yaml:1:20: error: expected https://: others on the network could read the links"),
      Complaint(
        "web: { public_url: https://belfry.example.org/belfry }\n",
        "x.yaml:1:20: error: the URL has a path: write only its scheme and host"),
      Complaint(
        "web: { socket_mode: all }\n", "x.yaml:1:21: error: expected one of user, group, found 'all'"),
      Complaint(
        "web: { trusted_proxies: [localhost] }\n",
        "x.yaml:1:26: error: expected an IP address, found 'localhost'"),
      Complaint(
        "people: { anna: { sinks: [terminal] } }\nweb: { user_header: Remote-User }\n",
        "x.yaml:2:8: error: every program of this machine could send 'user_header': listen on a unix: socket, or set "
          + "'proxy_secret_file'"),
      Complaint(
        "web: { listen: unix:/run/b, user_header: Remote User }\n",
        "x.yaml:1:42: error: expected a header of letters, digits and hyphens, found 'Remote User'"),
      Complaint(
        "web: { listen: unix:/run/b, user_header: cookie }\n",
        "x.yaml:1:42: error: 'cookie' has a meaning of its own in HTTP: use a header such as Remote-User"),
      Complaint(
        "web: { listen: unix:/run/b, user_header: Remote-User }\n",
        "x.yaml:1:6: warning: nobody can sign in by 'user_header': it names one of 'people', and 'people' is empty"),
      Complaint(
        "web: { proxy_secret: a }\n", "x.yaml:1:8: warning: 'proxy_secret' has no effect without 'user_header'"),
      Complaint("answers: { valid_for: 59m }\n", "x.yaml:1:23: error: expected a duration of at least 1h, found '59m'"),
    ])
  func web(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "addresses to listen on are taken as they are written",
    arguments: [
      ("127.0.0.1:0", ListenAddress.tcp(address: "127.0.0.1", port: 0)),
      ("localhost:8787", .tcp(address: "127.0.0.1", port: 8_787)), ("\"[::1]:80\"", .tcp(address: "::1", port: 80)),
      ("unix:/run/belfry.sock", .unix(path: "/run/belfry.sock")),
    ])
  func listen(written: String, read: ListenAddress) throws {
    #expect(try Fixture.load("web: { listen: \(written) }\n").settings.web.listen == read)
  }

  @Test(
    "times are taken as they are written, with quotes and without",
    arguments: ["22:30", "\"22:30\"", "'22:30'"])
  func timesAsWritten(written: String) throws {
    #expect(try Fixture.load("default_time: \(written)\n").settings.defaultTime.description == "22:30")
  }

  @Test("a time zone is given back in its right spelling", arguments: ["europe/zurich", "Europe/Zurich"])
  func zone(written: String) throws {
    #expect(try Fixture.load("time_zone: \(written)\n").settings.timeZone == .named("Europe/Zurich"))
  }

  @Test(
    "exact durations are counted in seconds",
    arguments: [("1m", 60), ("90s", 90), ("1h30m", 5400), ("2d", 172_800), ("1w1d1h1m1s", 694_861)])
  func durations(written: String, seconds: Int) throws {
    #expect(try Fixture.load("missed: { grace: \(written) }\n").settings.missed.graceSeconds == seconds)
  }

  @Test(
    "truth values and numbers are written without quotes",
    arguments: [
      Complaint("enabled: yes", "x.yaml:1:35: error: expected true or false, found 'yes'"),
      Complaint(
        "enabled: \"true\"", "x.yaml:1:35: error: expected true or false, found the text 'true'; leave out the quotes"),
      Complaint("enabled: 1", "x.yaml:1:35: error: expected true or false, found '1'"),
      Complaint("enabled: ", "x.yaml:1:35: error: expected true or false, found nothing"),
      Complaint("concurrency: 0", "x.yaml:1:39: error: expected a whole number from 1 to 64, found '0'"),
      Complaint("concurrency: 65", "x.yaml:1:39: error: expected a whole number from 1 to 64, found '65'"),
      Complaint("concurrency: 1.5", "x.yaml:1:39: error: expected a whole number from 1 to 64, found '1.5'"),
      Complaint(
        "concurrency: 99999999999999999999",
        "x.yaml:1:39: error: expected a whole number from 1 to 64, found '99999999999999999999'"),
      Complaint(
        "concurrency: '5'",
        "x.yaml:1:39: error: expected a whole number from 1 to 64, found the text '5'; leave out the quotes"),
      Complaint(
        "to: [a, [b], 3]", "x.yaml:1:34: error: expected text, found a list",
        "x.yaml:1:39: error: expected text, found the number '3'; put it in quotes"),
    ])
  func flags(_ complaint: Complaint) {
    #expect(Fixture.complaints("sinks: {a: {type: email, \(complaint.text), url: x}}\n") == complaint.lines)
  }

  @Test(
    "paths start from the config's folder or the home folder, and nothing else is expanded",
    arguments: [
      ("belfry.sqlite", "/etc/belfry/belfry.sqlite"), ("../a/b.sqlite", "/etc/belfry/../a/b.sqlite"),
      ("/var/lib/b.sqlite", "/var/lib/b.sqlite"), ("~/b.sqlite", "/home/me/b.sqlite"), ("\"~\"", "/home/me"),
      ("a/~/b", "/etc/belfry/a/~/b"), ("$HOME/b", "/etc/belfry/$HOME/b"), ("\"*.sqlite\"", "/etc/belfry/*.sqlite"),
    ])
  func paths(written: String, path: String) throws {
    let configuration = try Fixture.load("store: { type: json, path: \(written) }\n")
    #expect(configuration.store.path == path)
  }

  @Test(
    "paths that mean nothing are refused",
    arguments: [
      Complaint(
        "store: { type: json, path: ~you/b }\n",
        "x.yaml:1:28: error: expected a path, found '~you/b': only ~/ stands for a home folder"),
      Complaint("store: { type: json, path: \"\" }\n", "x.yaml:1:28: error: the path is empty"),
      Complaint("store: { type: json, path: ~ }\n", "x.yaml:1:28: error: expected a path, found nothing"),
      Complaint("store: { type: json, path: \"a\\0b\" }\n", "x.yaml:1:28: error: a NUL character is not allowed here"),
      Complaint(
        "store: { type: json, path: 7 }\n",
        "x.yaml:1:28: error: expected a path, found the number '7'; put it in quotes"),
    ])
  func wrongPaths(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test("without a home folder, a path that needs one is refused")
  func unknownHome() {
    #expect(throws: ConfigurationError.self) { try Fixture.loader([:]).loadDefault() }
    #expect(
      throws: ConfigurationError.invalid(
        file: "x",
        diagnostics: [
          ConfigDiagnostic(
            .error, at: SourcePosition(line: 1, column: 28),
            "the home folder is unknown: set HOME, or write an absolute path")
        ])
    ) {
      try Fixture.loader(["HOME": "relative"]).load(bytes: Array("store: { type: json, path: ~/b }".utf8), name: "x")
    }
  }
}
