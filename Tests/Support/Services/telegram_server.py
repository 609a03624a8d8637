"""A Telegram Bot API server, after https://core.telegram.org/bots/api, with its limits and the words of its refusals.

Updates are kept for 24 hours. A poll that waits ends the one that waited before. An offset far beyond the last update
counts as none, so that after the ids began anew the same updates come again until a lower offset confirms them.
"""
import itertools, re

from service import Answer, Call, Refusal, Service
from telegram_input import (
    BadRequest, checked_entities, checked_keyboard, checked_notice, checked_text, flag, integer, refusal,
    sent_parameters, structure)

KEPT = 24 * 3600
# For how long a pressed button waits for its answer. Not documented; bots are asked to answer at once.
QUERY_LIFETIME = 60
LONGEST_POLL, MOST_UPDATES = 50, 100
# These come only where `allowed_updates` names them.
UNASKED = {"chat_member", "message_reaction", "message_reaction_count"}
CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
FAILURES = {
    401: "Unauthorized", 403: "Forbidden: bot was blocked by the user", 404: "Not Found", 409: CONFLICT,
    413: "Request Entity Too Large", 500: "Internal Server Error", 502: "Bad Gateway"}


class State:
    def __init__(self, chats, first_update):
        self.chats, self.blocked = set(chats), set()
        self.messages, self.last_message = {}, {}
        self.queries = []
        self.updates, self.next_update, self.allowed = [], first_update, []


class TelegramServer(Service):
    def __init__(self, configuration):
        self.first_update = 800_000_001
        super().__init__(configuration)
        self.poll = None
        # Never the same again, not even after a restart that loses the rest.
        self.query_numbers = itertools.count(4_000_000_000_000_000_001)
        identity = int(configuration["token"].split(":")[0])
        self.bot = dict(id=identity, is_bot=True, first_name="Belfry test", username="belfry_test_bot")
        methods = [
            self.getMe, self.getChat, self.sendMessage, self.editMessageText, self.editMessageReplyMarkup, self.answerCallbackQuery,
            self.getUpdates]
        self.methods = {method.__name__.lower(): method for method in methods}

    def new_state(self):
        return State(self.configuration["chats"], self.first_update)

    # Requests.

    def call(self, request, connection):
        match = re.fullmatch(r"/bot([0-9]+:[\w-]+)/(\w+)", request.path, re.ASCII)
        if not match or request.method not in ("GET", "POST"):
            raise Refusal(self.failure(404))
        if match[1] != self.configuration["token"]:
            raise Refusal(self.failure(401))
        method = self.methods.get(match[2].lower())
        if not method:
            raise Refusal(refusal(404, "Not Found: method not found"))
        parameters = sent_parameters(request)
        is_poll = method == self.getUpdates
        wait = (lambda: self.wait_for_updates(parameters)) if is_poll else None

        def answered(doubled):
            result = method(parameters)
            if doubled and is_poll:
                result = [update for update in result for _ in range(2)]
            return Answer.json(200, dict(ok=True, result=result))
        return Call(method.__name__, parameters, answered, wait)

    def failure(self, status, retry_after=None):
        if status == 429:
            retry_after = retry_after or 1
            return refusal(429, f"Too Many Requests: retry after {retry_after}", retry_after)
        return refusal(status, FAILURES.get(status, "Bad Request"), retry_after)

    # Methods.

    def getMe(self, parameters):
        return dict(
            self.bot, can_join_groups=True, can_read_all_group_messages=False, supports_inline_queries=False)

    def getChat(self, parameters):
        chat = self.chat(parameters)
        return dict(id=chat, type="private" if chat > 0 else "supergroup")

    def sendMessage(self, parameters):
        chat = self.chat(parameters)
        content = self.content(parameters)
        return self.add_message(chat, self.bot, **content)

    def editMessageText(self, parameters):
        return self.edited(parameters, lambda: self.content(parameters))

    def editMessageReplyMarkup(self, parameters):
        return self.edited(parameters, lambda: markup_of(parameters))

    def answerCallbackQuery(self, parameters):
        identity = str(parameters.get("callback_query_id"))
        query = next((each for each in self.state.queries if each["id"] == identity), None)
        if not query or query["time"] + QUERY_LIFETIME < self.now():
            raise BadRequest("query is too old and response timeout expired or query ID is invalid")
        text = checked_notice(parameters.get("text", ""))
        query["answer"] = dict(text=text, isAlert=flag(parameters, "show_alert"))
        return True

    def getUpdates(self, parameters):
        return self.kept_updates()[:max(1, min(MOST_UPDATES, integer(parameters, "limit", MOST_UPDATES)))]

    def content(self, parameters):
        if parameters.get("parse_mode"):
            raise BadRequest("unsupported parse_mode")
        text = checked_text(parameters.get("text"))
        entities = checked_entities(structure(parameters, "entities") or [], text)
        return dict(text=text, **(dict(entities=entities) if entities else {}), **markup_of(parameters))

    def chat(self, parameters):
        if parameters.get("chat_id") in (None, ""):
            raise BadRequest("chat_id is empty")
        chat = integer(parameters, "chat_id", 0)
        if chat not in self.state.chats:
            raise BadRequest("chat not found")
        if chat in self.state.blocked:
            kicked = "Forbidden: bot was kicked from the group chat"
            raise Refusal(refusal(403, kicked) if chat < 0 else self.failure(403))
        return chat

    def edited(self, parameters, content):
        """A message with new content; what the content leaves out goes, its text excepted."""
        chat, number = self.chat(parameters), integer(parameters, "message_id", 0)
        if number <= 0:
            raise BadRequest("message identifier is not specified")
        message = self.state.messages.get((chat, number))
        if not message:
            raise BadRequest("message to edit not found")
        if message["from"] != self.bot:
            raise BadRequest("message can't be edited")
        content = content()
        kept = ("text", "entities") if "text" not in content else ()
        content = {**{name: message[name] for name in kept if name in message}, **content}
        if content == {name: message[name] for name in ("text", "entities", "reply_markup") if name in message}:
            raise BadRequest(
                "message is not modified: specified new message content and reply markup are exactly the same as a "
                "current content and reply markup of the message")
        base = {name: message[name] for name in ("message_id", "from", "chat", "date")}
        message = dict(base, edit_date=int(self.now()), **content)
        self.state.messages[chat, number] = message
        return message

    # Updates.

    def kept_updates(self):
        self.state.updates = [each for each in self.state.updates if each["until"] > self.now()]
        return [each["update"] for each in self.state.updates]

    async def wait_for_updates(self, parameters):
        allowed = structure(parameters, "allowed_updates")
        if isinstance(allowed, list):
            self.state.allowed = allowed
        self.confirm(integer(parameters, "offset", 0))
        timeout = max(0, min(LONGEST_POLL, integer(parameters, "timeout", 0)))
        if not timeout or self.is_due():
            return
        self.poll = poll = object()
        self.changed()
        try:
            await self.until(lambda: self.poll is not poll or self.is_due(), self.now() + timeout)
            if self.poll is not poll:
                raise Refusal(self.failure(409))
        finally:
            if self.poll is poll:
                self.poll = None

    def is_due(self):
        return bool(self.kept_updates()) or self.has_fault("getUpdates")

    def confirm(self, offset):
        state = self.state
        if offset < 0:
            state.updates = state.updates[offset:]
        elif offset <= state.next_update + 10:
            state.updates = [each for each in state.updates if each["id"] >= offset]

    def add_update(self, kind, value):
        allowed = self.state.allowed
        if kind in allowed if allowed else kind not in UNASKED:
            self.do_update({kind: value})

    # Messages.

    def add_message(self, chat, sender, **content):
        number = self.state.last_message.get(chat, 0) + 1
        self.state.last_message[chat] = number
        message = {"message_id": number, "from": sender, "chat": chat_object(chat), "date": int(self.now()), **content}
        self.state.messages[chat, number] = message
        return message

    # The test's side.

    async def do_come_up(self, keepingState, firstUpdate=None):
        self.first_update = firstUpdate or (self.first_update if keepingState else self.first_update + 1_000_003)
        await super().do_come_up(keepingState)

    def do_messages(self):
        return [
            dict(
                chat=chat, id=number, text=message["text"], entities=message.get("entities", []),
                buttons=buttons_of(message), isOwn=message["from"] == self.bot, isEdited="edit_date" in message)
            for (chat, number), message in self.state.messages.items()]

    def do_queries(self):
        return self.state.queries

    def do_write(self, text, chat, user):
        """A person writes a text; a chat that the bot did not know, it knows from now on."""
        self.state.chats.add(chat)
        message = self.add_message(chat, person(user), text=text)
        self.add_update("message", message)
        return message["message_id"]

    def do_press(self, chat, message, button, user):
        buttons = [each for row in buttons_of(self.state.messages[chat, message]) for each in row]
        data = next((each["data"] for each in buttons if each["text"] == button), None)
        if data is None:
            raise ValueError(f"message {message} has no button '{button}' that calls back")
        return self.do_call_back(chat, message, data, user)

    def do_call_back(self, chat, message, data, user):
        """A press with any data; of a message that is gone too."""
        gone = dict(message_id=message, chat=chat_object(chat), date=0)
        query = dict(
            id=str(next(self.query_numbers)), time=self.now(), chat=chat, message=message, user=user, data=data,
            answer=None)
        self.state.queries.append(query)
        shown = self.state.messages.get((chat, message), gone)
        self.add_update("callback_query", {
            "id": query["id"], "from": person(user), "message": shown, "chat_instance": str(chat), "data": data})
        return query["id"]

    def do_update(self, update):
        """Any update, which gets the next id unless it has one of its own, good or bad."""
        number, update = self.state.next_update, dict(update)
        if type(update.setdefault("update_id", number)) is int:
            number = update["update_id"]
        self.state.next_update = max(self.state.next_update, number + 1)
        self.state.updates.append(dict(id=number, update=update, until=self.now() + KEPT))
        return number

    def do_block(self, chat, isBlocked):
        (self.state.blocked.add if isBlocked else self.state.blocked.discard)(chat)

    def do_delete(self, chat, message):
        del self.state.messages[chat, message]

    def do_progress(self):
        return dict(isPolled=self.poll is not None, pendingUpdates=len(self.kept_updates()))


def markup_of(parameters):
    markup = checked_keyboard(structure(parameters, "reply_markup"))
    return dict(reply_markup=markup) if markup else {}


def buttons_of(message):
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [
        [dict(text=each["text"], data=each.get("callback_data"), url=each.get("url")) for each in row] for row in rows]


def person(number):
    return dict(id=number, is_bot=False, first_name=f"Person {number}")


def chat_object(number):
    if number > 0:
        return dict(id=number, type="private", first_name=f"Person {number}")
    return dict(id=number, type="group", title=f"Group {-number}")


if __name__ == "__main__":
    TelegramServer.main()
