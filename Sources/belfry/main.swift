import BelfryCLI

BelfryProgram.main(Array(CommandLine.arguments.dropFirst()))
