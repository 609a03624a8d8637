"""Works out for whom the escalations of a scenario ring, from answers.md, contract.md and states.md.

    escalation_model.py scenario.json > expected.txt

One line for each attempt: its instant in seconds since 1970, the reminder with its fire date, for a step of an
escalation also its run, step and ring, the sink, the person and the address. The outcome of each press, and each
command that is refused, is a line `event NUMBER OUTCOME` with its place among the events. Needs python-dateutil.
"""

import json
import sys

from escalation_answers import Refused
from escalation_config import Config
from escalation_owner import Owner
from escalation_world import World
from times import DAY, later, local_rule, recurrence, wall, wall_at

# What is older is not answered or taken back: the history is pruned.
ANSWERABLE = 14 * DAY


class Model(World):
    """What people do, and what befalls the machine."""

    def perform(self, number, event):
        try:
            outcome = getattr(self, "do_" + event["do"].replace(" ", "_"))(event)
        except Refused:
            outcome = "refused"
        if outcome:
            self.lines.append(f"event {number} {outcome}")
        self.store_changed()
        self.look_in_a_minute()

    def do_config(self, event):
        self.config = Config(event["config"])
        if self.is_running:
            self.restart()

    def do_off(self, event):
        self.is_on = False

    def do_on(self, event):
        self.is_on, self.policy = True, event["policy"]
        self.restart()

    def do_sleep(self, event):
        self.is_asleep = True

    def do_wake(self, event):
        self.is_asleep = False
        self.tick()

    def restart(self):
        self.outbox.follow_clock()
        self.outbox.close_without_sink()
        self.tick()

    def do_step(self, event):
        self.now = event["to"]
        self.tick()

    def do_zone(self, event):
        self.machine_zone = event["zone"]

    def do_add(self, event):
        owner = Owner(self, f"item {len(self.items) + 1}", event["list"], {**event, "due": wall(event["due"])})
        self.items.append(owner)
        owner.plan()
        self.items_changed(owner)

    def do_list_remind(self, event):
        owner = Owner(self, f"list {event['list']}", event["list"], {**event, "due": wall(event["due"])})
        self.lists[event["list"]] = owner
        owner.plan()

    def item(self, event):
        item = self.items[event["item"] - 1] if event["item"] <= len(self.items) else None
        if item is None or item.is_gone:
            raise Refused
        return item

    def do_edit(self, event):
        item = self.item(event)
        self.items_changed(item)
        is_redated = "due" in event and wall(event["due"]) != item.due
        if is_redated:
            item.due = item.start = wall(event["due"])
            item.last_checked = None
            item.cancel(item.scheduled())
        item.zone_name, item.list_name = event.get("zone", item.zone_name), event.get("list", item.list_name)
        item.text = event.get("text", item.text)
        item.category, item.remind = event.get("category", item.category), event.get("remind", item.remind)
        if "alerts" in event:
            item.alerts = tuple(event["alerts"]) or ("PT0S",)
        item.plan()
        self.items_changed(item)

    def do_check(self, event):
        item = self.item(event)
        if not item.checked:
            self.check(item)
            item.cancel(item.scheduled())
            self.outbox.discard_ended(item)

    def check(self, item, after=None):
        """A repeating item moves on: beyond the occurrence that was answered, or beyond now."""
        item.checked_at = self.now
        following = None
        if item.rule:
            item.last_checked = (item.due, item.start)
            beyond = max(after or wall_at(self.now, item.zone), item.due)
            following = recurrence(local_rule(item.rule, item.zone), item.start).after(beyond)
        if following:
            item.due = following.replace(second=0)
        else:
            item.checked = True
        item.plan()
        self.items_changed(item)

    def do_uncheck(self, event):
        item = self.item(event)
        if not item.checked and not item.last_checked:
            return
        item.checked = item.checked_at = None
        if item.last_checked:
            item.due, item.start = item.last_checked
            item.last_checked = None
        item.plan()
        self.items_changed(item)

    def do_delete(self, event):
        item = self.item(event)
        self.delete(item)
        self.outbox.discard_ended(item)

    def delete(self, item):
        item.is_gone = True
        item.plan()
        self.items_changed(item)

    def do_snooze(self, event):
        item = self.item(event)
        if not item.rings():
            raise Refused
        times = set(item.times())
        rang = [time for time, _ in item.ringings if time in times]
        item.cancel(item.scheduled())
        item.snooze(max(rang, default=item.due), "PT0S", later(self.now, event["length"], item.zone))

    def owner(self, event):
        if "list" in event:
            return self.lists[event["list"]]
        return self.items[event["item"] - 1] if event["item"] <= len(self.items) else None

    def do_press(self, event):
        owner = self.owner(event)
        rung = owner.rung[::-1][event["pick"]:] if owner else []
        if not rung or self.now - rung[0][0] > ANSWERABLE:
            return "nothing to answer"
        return self.answers.press(rung[0][1], event["action"], event.get("token"), event["signed_in"])

    def do_take_back(self, event):
        owner = self.owner(event)
        done = [each for each in owner.answers if each.effect == "done"] if owner else []
        chosen = done[::-1][event["pick"]:][:1]
        if not chosen or self.now - chosen[0].at > ANSWERABLE:
            return "nothing to take back"
        self.answers.take_back(chosen[0])
        return "taken back"


def run(scenario):
    """The lines of a scenario."""
    world = Model(scenario)
    for number, event in enumerate(scenario["events"]):
        world.advance(event["at"])
        world.perform(number, event)
    world.advance(scenario["end"])
    return world.lines


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(run(json.load(file))))
