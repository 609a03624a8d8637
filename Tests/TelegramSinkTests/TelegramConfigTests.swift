import OrderedJSON
import Testing

@testable import TelegramSink

@Suite("The config of a Telegram sink")
struct TelegramConfigTests {
  @Test(
    "what is in order has nothing to complain about",
    arguments: [
      "    token_file: bot-token\n    chat_id: 1001\n",
      "    token_env: BOT\n    chat_id: -1001234567890\n    timeout: 30s\n",
      "    token: 7000000001:AAF-t_x\n    chat_id: \"@belfry_rings\"\n    api_url: http://[::1]:8081/bots/\n",
      "    token_credential: bot\n    chat_id: \"1001\"\n    commands: true\n    ca_file: ca.pem\n",
    ])
  func inOrder(section: String) { #expect(Telling.complaints(section) == []) }

  @Test(
    "what is wrong is told at its place, and no token is quoted",
    arguments: [
      ("    chat_id: 1\n", ["x:2:3: error: missing key 'token'"]),
      ("    token_file: t\n", ["x:2:3: error: missing key 'chat_id'"]),
      (
        "    token: hidden\n    chat_id: 1\n",
        ["x:4:12: error: 'token' cannot be used: it is not the token of a bot: 123456:ABC-DEF…"]
      ),
      (
        "    token: \"7:hidden/../x\"\n    chat_id: 1\n",
        ["x:4:12: error: 'token' cannot be used: it is not the token of a bot: 123456:ABC-DEF…"]
      ),
      (
        "    token_file: t\n    chat_id: 0\n",
        ["x:5:14: error: a chat is a number other than 0, or the @name of a public group or channel"]
      ),
      (
        "    token_file: t\n    chat_id: anna\n",
        ["x:5:14: error: a chat is a number other than 0, or the @name of a public group or channel"]
      ),
      ("    token_file: t\n    chat_id: true\n", ["x:5:14: error: expected a number or a name, found 'true'"]),
      (
        "    token_file: t\n    chat_id: 1\n    api_url: api.telegram.org\n",
        ["x:6:14: error: the URL does not start with http:// or https://"]
      ),
      (
        "    token_file: t\n    chat_id: 1\n    api_url: https://a.example/?b\n",
        ["x:6:14: error: the URL of a Bot API server must not have a query (?)"]
      ),
      (
        "    token_file: t\n    chat_id: -1\n    commands: true\n",
        ["x:6:15: error: 'commands' are for the chat with one person, whose chat_id is positive"]
      ),
      (
        "    token_file: t\n    chat_id: \"@rings\"\n    commands: true\n",
        ["x:6:15: error: 'commands' are for the chat with one person, whose chat_id is positive"]
      ),
    ])
  func wrong(section: String, lines: [String]) {
    let complaints = Telling.complaints(section)
    #expect(complaints == lines)
    #expect(!complaints.joined().contains("hidden"))
  }

  @Test(
    "a chat is found by its number or its name",
    arguments: [
      ("1001", #"{"id":1001,"type":"private"}"#, true), ("1001", #"{"id":-1001}"#, false),
      ("1001", #"{"id":"1001"}"#, false), ("@Rings", #"{"id":-5,"username":"rings"}"#, true),
      ("@Rings", #"{"id":-5,"username":"ring"}"#, false), ("@Rings", #"{"id":-5}"#, false), ("1001", "[]", false),
    ])
  func chat(text: String, object: String, isFound: Bool) throws {
    let chat = try #require(TelegramChat(text))
    #expect(chat.matches(try JSONValue(parsing: object.utf8)) == isFound)
  }
}
