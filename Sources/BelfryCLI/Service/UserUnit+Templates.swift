// The units in Config/systemd/user; a test compares each file.
extension UserUnit {
  /// The file belfry.service.
  static let daemonTemplate = """
    # Belfry for one user. 'belfry service install' writes it to ~/.config/systemd/user and starts it.
    # Change it with 'systemctl --user edit belfry', which does not touch this file.
    [Unit]
    Description=Belfry rings reminders
    Documentation=man:belfryd(1) man:belfry.yaml(5)

    [Service]
    Type=notify
    ExecStart=@bindir@/belfryd
    ExecReload=/bin/sh -c "kill -HUP $MAINPID"

    \(restart)
    TimeoutStartSec=5min
    TimeoutStopSec=20s
    # The scheduler's loop is the watchdog: when it hangs, the daemon is restarted, and nothing is lost.
    WatchdogSec=3min

    \(sandbox(families: "AF_INET AF_INET6 AF_UNIX AF_NETLINK"))

    [Install]
    WantedBy=default.target

    """

  /// The file belfry-web.service.
  static let webTemplate = """
    # Belfry's web face for one user. 'belfry service install' writes it to ~/.config/systemd/user where the config has 'web'.
    # Its socket starts it, and after ten minutes without a connection it ends.
    # Change it with 'systemctl --user edit belfry-web', which does not touch this file.
    [Unit]
    Description=Belfry's web face
    Documentation=man:belfry-web(1) man:belfry.yaml(5)
    Requires=belfry-web.socket

    [Service]
    Type=notify
    ExecStart=@bindir@/belfry-web
    ExecReload=/bin/sh -c "kill -HUP $MAINPID"

    \(restart)
    TimeoutStopSec=20s

    \(sandbox(families: "AF_INET AF_INET6 AF_UNIX"))

    """

  /// The file belfry-web.socket.
  static let webSocketTemplate = """
    # The address of Belfry's web face for one user. 'belfry service install' writes it with web.listen of the config.
    [Unit]
    Description=Belfry's web face, started by its first visitor
    Documentation=man:belfry-web(1) man:belfry.yaml(5)

    [Socket]
    ListenStream=127.0.0.1:8787
    SocketMode=0600

    [Install]
    WantedBy=sockets.target

    """

  private static let restart = """
    # Wrong usage or an invalid config does not improve with a restart; a missing store may appear.
    Restart=on-failure
    RestartSec=10s
    RestartPreventExitStatus=64 78
    """

  private static func sandbox(families: String) -> String {
    """
    # The sandboxing of systemd that needs no privileges.
    UMask=0077
    NoNewPrivileges=yes
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    RestrictNamespaces=yes
    RestrictAddressFamilies=\(families)
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged
    SystemCallErrorNumber=EPERM
    """
  }
}
