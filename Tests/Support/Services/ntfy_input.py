"""What ntfy takes to publish, as JSON or in header fields, and the errors that it answers with otherwise."""
import json

from service import Answer, Refusal

# A topic, and a sequence id too.
TOPIC = "[-_A-Za-z0-9]{1,64}"
FIELDS = dict(
    topic=str, message=str, title=str, click=str, icon=str, sequence_id=str, priority=int, tags=list, actions=list,
    markdown=bool)
# Known to ntfy, but not to this server.
ELSEWHERE = ("attach", "filename", "delay", "email", "call")
ACTION_FIELDS = dict(action=str, label=str, url=str, method=str, headers=dict, body=str, clear=bool, value=str)
ACTIONS = ("view", "broadcast", "http", "copy")
MOST_ACTIONS = 3
PRIORITIES = dict(min=1, low=2, default=3, high=4, max=5, urgent=5)


class Problem(Refusal):
    """A refusal with an error code, whose first three digits are the status."""

    def __init__(self, code, words, fields=()):
        status = code // 100
        super().__init__(Answer.json(status, dict(code=code, http=status, error=words), fields))


def read_json(body, limit):
    if len(body) > limit:
        raise Problem(41303, "JSON body too large")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Problem(40024, "invalid request: request body must be valid JSON")
    return value


def typed(value, types):
    """The known fields of an object, null ones left out."""
    known = {name: value[name] for name in types if value.get(name) is not None}
    if not all(type(known[name]) is types[name] for name in known):
        raise Problem(40024, "invalid request: request body must be valid JSON")
    return known


def fields_of(value):
    if any(value.get(name) for name in ELSEWHERE):
        raise Problem(40000, "invalid request: not a part of this test server")
    fields = typed(value, FIELDS)
    if not all(isinstance(tag, str) for tag in fields.get("tags", [])):
        raise Problem(40024, "invalid request: request body must be valid JSON")
    if not 0 <= fields.get("priority", 0) <= 5:
        raise Problem(40007, "invalid priority parameter")
    return {name: each for name, each in fields.items() if each}


def plain_fields(parameter):
    """The fields of a message whose text is the body of the request."""
    fields = dict(
        title=parameter("title", "t"), click=parameter("click"),
        sequence_id=parameter("sequence-id", "sequence_id", "sid"))
    if tags := parameter("tags", "tag", "ta"):
        fields["tags"] = [tag.strip() for tag in tags.split(",")]
    if priority := parameter("priority", "prio", "p").lower():
        fields["priority"] = PRIORITIES.get(priority) or int(priority if priority in "12345" else 0)
        if not fields["priority"]:
            raise Problem(40007, "invalid priority parameter")
    if actions := parameter("actions", "action"):
        try:
            fields["actions"] = json.loads(actions)
        except ValueError:
            raise Problem(40018, "invalid request: actions invalid, only JSON is a part of this test server")
    return {name: each for name, each in fields.items() if each}


def actions_of(values):
    """The action buttons of a message."""
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise Problem(40024, "invalid request: request body must be valid JSON")
    actions = [checked_action(typed(value, ACTION_FIELDS)) for value in values]
    if len(actions) > MOST_ACTIONS:
        refuse_actions(f"only {MOST_ACTIONS} actions allowed")
    return actions


def checked_action(action):
    kind, method = action.get("action", "").lower(), action.get("method", "").upper()
    if kind not in ACTIONS:
        refuse_actions(f"action '{kind}' unknown")
    if not action.get("label"):
        refuse_actions("parameter 'label' is required")
    if kind in ("view", "http") and not action.get("url"):
        refuse_actions(f"parameter 'url' is required for action '{kind}'")
    if kind == "http" and method in ("GET", "HEAD") and action.get("body"):
        refuse_actions(f"parameter 'body' cannot be set if method is {method}")
    if not all(isinstance(each, str) for each in action.get("headers", {}).values()):
        raise Problem(40024, "invalid request: request body must be valid JSON")
    return dict(action, action=kind, clear=action.get("clear", False), **({"method": method} if method else {}))


def refuse_actions(reason):
    raise Problem(40018, f"invalid request: actions invalid, {reason}")
