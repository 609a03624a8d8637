import BelfryEngine
import BelfryModel
import BelfryRuntime
import OrderedJSON

struct SinkOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "getSinks", "The sinks of the config with their states", .get, "/sinks", .allLists(.read),
        replies: .json(.array(of: .named("Sink")))
      ) { request in
        let setup = request.services.setup
        return APIReply(
          try await request.read { sight in
            let (view, zone) = (sight.reading.view, sight.reading.planner.floatingZone)
            let states = SinkState.all(setup.sections, setup.sinks, try view.sinkProblems(), try view.inboxes())
            return .array(states.map { $0.json(zone) })
          })
      },
      APIOperation(
        "testSink", "Sends a test message, and tells what the server said", .post, "/sinks/{name}/test",
        .allLists(.admin), replies: .json(.array(of: .named("SinkTest")))
      ) { request in
        let (name, services) = (try request.word("name"), request.services)
        let run = try await SinkTestRun.run(name, services.setup, services.sinkTests) {
          try await request.noteBeforehand()
        }
        let reply = APIReply(run.results)
        await request.keep(reply)
        return reply
      },
    ]
  }
}
