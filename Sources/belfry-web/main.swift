import BelfryWeb

WebProgram.main()
