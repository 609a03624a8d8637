import BelfryCLI

BelfryProgram.main()
