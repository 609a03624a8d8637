import BelfryDaemon

DaemonProgram.main(Array(CommandLine.arguments.dropFirst()))
