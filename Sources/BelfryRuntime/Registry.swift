import BelfryEngine
import DesktopSink
import EmailSink
import JSONStore
import PlistStore
import PostgresStore
import SQLitePlugin
import StdoutSink
import TelegramSink
import VdirStore
import WebPushSink
import WebhookSink

/// Every store and sink that a config can name; the only list of them.
package enum Registry {
  package static let stores: [any StorePlugin.Type] = [
    SQLiteStorePlugin.self, JSONStorePlugin.self, PlistStorePlugin.self, PostgresStorePlugin.self,
    VdirStorePlugin.self,
  ]

  package static let sinks: [any SinkPlugin.Type] = [
    StdoutSinkPlugin.self, EmailSinkPlugin.self, WebhookSinkPlugin.self, TelegramSinkPlugin.self,
    DesktopSinkPlugin.self, WebPushSinkPlugin.self,
  ]

  package static var schema: ConfigSchema { ConfigSchema(stores: stores, sinks: sinks) }
}
