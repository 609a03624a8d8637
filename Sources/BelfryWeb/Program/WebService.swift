import AnswerTokens
import BelfryEngine
import BelfryModel
import BelfryRuntime
import CivilTime
import FoundationEssentials
import Hummingbird
import SystemThreads
import WebAccess

/// The web face over one store and one socket, with a config that SIGHUP reloads.
struct WebService: Sendable {
  /// The config file that the user named.
  let config: String?
  /// True if it begins by opening a sign-in link.
  let opensLink: Bool
  let time: any TimeSource
  let manager: ServiceManager?
  let log: EventLog
  private let limits = WebLimits()
  private let threads = StoreThreads()
  private let memory = WebMemory()
  private let reloads = TaskThread()

  init(config: String?, opensLink: Bool, time: any TimeSource, manager: ServiceManager?, log: @escaping EventLog) {
    self.config = config
    self.opensLink = opensLink
    self.time = time
    self.manager = manager
    self.log = log
  }

  /// Serves until the signals end.
  ///
  /// - Parameter signals: a value for each reload.
  func run(_ signals: AsyncStream<Void>) async throws {
    let assembly = try read()
    let (belfry, isOnServer) = (assembly.belfry, assembly.configuration.store.isOnServer)
    let link = opensLink ? SignInLink(belfry: belfry, log: log) : nil
    guard let socket = try openSocket(belfry.settings.web) else {
      // Most likely it is the service, which listens as configured.
      log(Event(.warning, "another program listens on \(belfry.settings.web.listen): the link is for that one"))
      if let link { link.open(try link.make(at: belfry.settings.web.listen)) }
      return
    }
    let access = try AccessStore(of: belfry.store, keepsOpen: true)
    let feed = StoreFeed(belfry: belfry, access: access, log: log)
    let routes = CurrentRoutes(try router(belfry, assembly, at: socket.address, access, feed))
    let url = try link?.make(at: socket.address)
    try await WebServer(socket: socket, limits: limits, routes: routes).run {
      // A reload runs on a thread of its own, since it reads files and may wait for the store.
      for await _ in signals {
        await Task(executorPreference: reloads) { reload(belfry, socket, routes, access, feed) }.value
      }
    } entering: { stage in
      switch stage {
      case .started:
        started(socket)
        if isOnServer { look(at: belfry.store) }
        // On another thread, since here requests would wait for it.
        if let link, let url, !SystemThread.start({ link.open(url) }) { link.open(url) }
      case .ending:
        manager?.stopping()
        feed.end()
      }
    }
    log(Event(.info, "stopped"))
  }

  private func read() throws -> Assembly {
    let assembly = try Assembly(.file(config), time: time)
    for warning in assembly.logWarnings { log(Event(.warning, warning)) }
    return assembly
  }

  private func router(
    _ belfry: Belfry, _ assembly: Assembly, at address: ListenAddress, _ access: AccessStore, _ feed: StoreFeed
  ) throws -> Router<WebContext> {
    let links = LinkReader(file: assembly.configuration.answerKeyFile.map(KeyRingFile.init))
    let face = WebFace(
      belfry: belfry, setup: WebSetup(assembly), access: access, links: links,
      threads: threads, memory: memory, feed: feed, log: log)
    return try face.router(belfry.settings.web, at: address, limits: limits)
  }

  // Logs why the store's server cannot be used, since a person may have to act. Requests are served all the same, since
  // the server may only be unreachable for a while.
  private func look(at store: any ItemStore) {
    _ = SystemThread.start { [log] in
      do {
        try store.read { _ in }
      } catch {
        log(Event(.error, (error as? BelfryError)?.line ?? "\(error)"))
      }
    }
  }

  private func started(_ socket: ListeningSocket) {
    log(Event(.info, "listening on \(socket.address)"))
    if let reason = manager?.ready() {
      log(Event(.warning, "the service manager cannot be notified: \(reason)"))
    }
  }

  // Nil if another program listens on the address, and a sign-in link to that one is enough.
  private func openSocket(_ settings: WebSettings) throws -> ListeningSocket? {
    guard let given = try ListeningSocket(handedOverIn: ProcessInfo.processInfo.environment) else {
      do {
        return try ListeningSocket(listeningOn: settings.listen, mode: settings.socketMode)
      } catch {
        guard error.kind == .tryAgain, opensLink else { throw error }
        return nil
      }
    }
    if let fault = fault(settings, given) { throw BelfryError(.badConfig, fault) }
    if given.address != settings.listen {
      log(Event(.warning, "web.listen is \(settings.listen), but the service manager listens on \(given.address)"))
    }
    return given
  }

  // The config was checked for `web.listen`, but not for the address of this socket.
  private func fault(_ settings: WebSettings, _ given: ListeningSocket) -> String? {
    if let fault = settings.exposure(of: given.address) ?? settings.forgery(at: given.address) { return fault }
    guard settings.userHeader != nil, settings.proxySecret == nil, !given.isRestricted else { return nil }
    return "'user_header' needs SocketMode=0600 or 0660 for \(given.address), or 'proxy_secret_file'"
  }
}

extension WebService {
  // An invalid config is ignored, and so is one that would need another store or socket.
  private func reload(
    _ first: Belfry, _ socket: ListeningSocket, _ routes: CurrentRoutes, _ access: AccessStore, _ feed: StoreFeed
  ) {
    manager?.reloading()
    defer { manager?.ready() }
    do {
      let assembly = try read()
      let read = assembly.belfry
      if let obstacle = obstacle(to: read, after: first, socket) {
        return log(Event(.error, obstacle))
      }
      let belfry = Belfry(store: first.store, settings: read.settings, time: time, zones: read.zones)
      routes.replace(by: try router(belfry, assembly, at: socket.address, access, feed))
      log(Event(.info, "the config was reloaded"))
    } catch {
      for event in ProgramLog.events(of: error) { log(event) }
      log(Event(.error, "the config was not reloaded: the previous one stays in use"))
    }
  }

  private func obstacle(to read: Belfry, after first: Belfry, _ socket: ListeningSocket) -> String? {
    if read.store.location != first.store.location {
      return "the config names another store: restart belfry-web to use it"
    }
    let (new, old) = (read.settings.web, first.settings.web)
    if socket.isActivated { return fault(new, socket) }
    guard new.listen == old.listen, new.socketMode == old.socketMode else {
      return "the config names another web.listen: restart belfry-web to use it"
    }
    return nil
  }
}
