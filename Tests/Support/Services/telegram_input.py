"""What Telegram takes: parameters, a text, its entities and its inline keyboard, with the limits that are published.

Characters are counted in UTF-16 code units, as the offsets of entities are.
"""
import json, urllib.parse

from service import Answer, Refusal

LONGEST_TEXT, LONGEST_NOTICE, LONGEST_DATA, MOST_ENTITIES = 4096, 200, 64, 100
ENTITIES = {
    "mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic", "underline",
    "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link", "text_mention",
    "custom_emoji"}
# What a button may do; each has one of them.
PURPOSES = {
    "url", "callback_data", "web_app", "login_url", "switch_inline_query", "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat", "copy_text", "callback_game", "pay"}


def refusal(status, description, retry_after=None):
    value = dict(ok=False, error_code=status, description=description)
    if retry_after is None:
        return Answer.json(status, value)
    return Answer.json(status, dict(value, parameters=dict(retry_after=retry_after)), [("Retry-After", retry_after)])


class BadRequest(Refusal):
    def __init__(self, reason):
        super().__init__(refusal(400, f"Bad Request: {reason}"))


def sent_parameters(request):
    """The parameters of a request: its query's, and those of a form or of a JSON object."""
    kind = request.fields.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        form = dict(urllib.parse.parse_qsl(request.body.decode(errors="replace"), keep_blank_values=True))
        return {**request.query, **form}
    if kind != "application/json" or not request.body:
        return request.query
    return {**request.query, **parsed(request.body, dict, "can't parse request: JSON object expected")}


def parsed(text, kind, words):
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest(words)
    if not isinstance(value, kind):
        raise BadRequest(words)
    return value


def structure(parameters, name):
    """An object or array, which a form carries as text."""
    value = parameters.get(name)
    if not isinstance(value, str):
        return value
    return parsed(value, (dict, list), f"can't parse {name} JSON object") if value else None


def integer(parameters, name, default):
    try:
        return int(parameters.get(name, default))
    except (TypeError, ValueError):
        return default


def flag(parameters, name):
    return parameters.get(name) in (True, "true", "True", "1", 1)


def utf16(text):
    try:
        return text.encode("utf-16-le")
    except UnicodeEncodeError:
        raise BadRequest("strings must be encoded in UTF-8")


def checked_text(text):
    if not isinstance(text, str) or not text.strip():
        raise BadRequest("message text is empty")
    if len(utf16(text)) // 2 > LONGEST_TEXT:
        raise BadRequest("message is too long")
    return text


def checked_notice(text):
    if not isinstance(text, str) or len(utf16(text)) // 2 > LONGEST_NOTICE:
        raise BadRequest("MESSAGE_TOO_LONG")
    return text


def checked_entities(entities, text):
    """The entities of a text; those over the most are left out."""
    if not isinstance(entities, list):
        raise BadRequest("can't parse entities: expected an array of MessageEntity")
    for entity in entities:
        check_entity(entity, utf16(text))
    return entities[:MOST_ENTITIES]


def check_entity(entity, text):
    if not isinstance(entity, dict) or entity.get("type") not in ENTITIES:
        raise BadRequest("can't parse MessageEntity: unsupported type specified")
    offset, length = entity.get("offset"), entity.get("length")
    if type(offset) is not int or type(length) is not int or offset < 0 or length < 1:
        raise BadRequest("can't parse MessageEntity: wrong offset or length specified")
    end = offset + length
    if end > len(text) // 2:
        raise BadRequest(
            f"entity beginning at UTF-16 offset {offset} ends after the end of the text at UTF-16 offset {end}")
    for place in (offset, end):
        # A low surrogate is the second half of a character.
        if 0xDC <= int.from_bytes(text[2 * place:2 * place + 2], "little") >> 8 <= 0xDF:
            raise BadRequest(f"entity beginning at UTF-16 offset {offset} ends in a middle of a UTF-16 symbol")
    if entity["type"] == "text_link":
        check_url(entity.get("url"), "entity URL")


def check_url(url, what):
    """Refuses what clients could not open: names without a dot too, such as `localhost`."""
    if not isinstance(url, str) or not url:
        raise BadRequest(f"{what} is empty")
    try:
        parts = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
        host = parts.hostname or ""
    except ValueError:
        host = ""
    else:
        if parts.scheme in ("tg", "ton"):
            return
        if parts.scheme not in ("http", "https"):
            raise BadRequest(f"{what} '{url}' is invalid: Unsupported URL protocol")
    if not ("." in host or ":" in host) or any(character <= " " for character in url):
        raise BadRequest(f"{what} '{url}' is invalid: Wrong HTTP URL")


def checked_keyboard(markup):
    """The inline keyboard, without empty rows; nothing where it has no button."""
    if markup is None:
        return None
    if not isinstance(markup, dict):
        raise BadRequest("object expected as reply markup")
    rows = markup.get("inline_keyboard")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise BadRequest("inline keyboard expected")
    for button in (button for row in rows for button in row):
        check_button(button)
    rows = [row for row in rows if row]
    return {"inline_keyboard": rows} if rows else None


def check_button(button):
    if not isinstance(button, dict) or not isinstance(button.get("text"), str) or not button["text"].strip():
        raise BadRequest("can't parse inline keyboard button: Field \"text\" must be of type String")
    utf16(button["text"])
    purposes = PURPOSES & button.keys()
    if len(purposes) != 1:
        raise BadRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if "url" in purposes:
        check_url(button["url"], "inline keyboard button URL")
    if "callback_data" in purposes:
        data = button["callback_data"]
        if not isinstance(data, str) or not 1 <= len(data.encode(errors="surrogatepass")) <= LONGEST_DATA:
            raise BadRequest("BUTTON_DATA_INVALID")
