import BelfryDaemon

DaemonProgram.main()
