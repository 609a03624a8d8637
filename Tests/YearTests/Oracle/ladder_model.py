"""Works out whom the ladders in a scenario of ladder_scenario.py ring for, from answers.md, contract.md and states.md.

    ladder_model.py scenario.json > expected.txt

One line for each attempt: its instant in seconds since 1970, the reminder with its fire date, for a step of an
escalation also its ladder, step and ring, the sink, the person and the address. The outcome of each press, and each
command that is refused, is a line `event NUMBER OUTCOME` with its place among the events. Needs python-dateutil.
"""

import heapq
import json
import sys
from datetime import datetime, timedelta, timezone

from ladder_answers import Answers, Refused
from ladder_config import Config
from ladder_outbox import Outbox
from ladder_owner import Owner
from times import DAY, MINUTE, later, local_rule, minute, recurrence, wall, wall_at

GRACE, MAX_AGE = 600, 7 * DAY
# A reminder that rang longer ago is not answered: the history is pruned.
ANSWERABLE = 14 * DAY


class World:
    def __init__(self, scenario):
        self.machine_zone = self.zone = scenario["zone"]
        end = datetime.fromtimestamp(scenario["end"], timezone.utc).replace(tzinfo=None)
        self.horizon = end + timedelta(days=60)
        self.now = self.last_tick = scenario["start"]
        self.running, self.policy, self.config = False, "once", None
        self.items, self.lists = [], {}
        self.outbox, self.answers = Outbox(self, scenario["faults"]), Answers(self)
        self.heap, self.lines, self.unnoted = [], [], []
        self.look_at = None  # the minute after an event, in which the daemon ticks even if nothing is scheduled

    # The clock

    def wake(self, owner, instant):
        heapq.heappush(self.heap, (instant, owner.name, id(owner), owner))

    def advance(self, to):
        """Lets the daemon tick at each instant up to this one at which something is to happen."""
        while self.running:
            scheduled = [self.heap[0][0]] if self.heap else []
            minutes = [max(each, minute(self.now) + MINUTE) for each in scheduled + [self.look_at] if each is not None]
            attempt = self.outbox.next_attempt()
            upcoming = min(minutes + ([attempt] if attempt else []), default=to + 1)
            if upcoming > to:
                break
            self.now = upcoming
            if self.look_at is not None and self.look_at <= self.now:
                self.look_at = None
            self.tick()
        self.now = to

    def look_in_a_minute(self):
        self.look_at = minute(self.now) + MINUTE

    # The daemon

    def owners(self):
        return [owner for owner in self.items + list(self.lists.values()) if not owner.is_gone]

    def tick(self):
        """Goes on until nothing is due any more."""
        if not self.running:
            return
        self.outbox.send()
        if self.zone != self.machine_zone:
            self.zone = self.machine_zone
            for owner in self.owners():
                if owner.zone_name == "floating":
                    owner.plan()
        if self.now < self.last_tick:
            self.outbox.follow_clock()
        self.last_tick = self.now
        while self.claim_due() or self.outbox.send():
            pass
        self.note_rings()

    def store_changed(self):
        """The daemon sees at once what an event did to its deliveries, and not before the next tick what is to ring."""
        if self.running:
            self.outbox.send()
            self.note_rings()

    def claim_due(self):
        """Claims everything that is due, also what a claim makes due; says whether there was anything."""
        count, awake = 0, {}
        while True:
            while self.heap and self.heap[0][0] <= self.now:
                owner = heapq.heappop(self.heap)[3]
                awake[id(owner)] = owner
            due = [(each, owner) for owner in awake.values() for each in self.due(owner)]
            if not due:
                break
            # The next occurrence comes before a step of the same minute, and a later step before a ring of an earlier.
            reminder, owner = min(due, key=lambda pair: (
                pair[0].fire_date, pair[0].kind == "step", -pair[0].step[0], pair[1].name, str(pair[0])))
            self.claim(reminder, owner)
            count += 1
        self.outbox.end_claim()
        return count

    def due(self, owner):
        if owner.is_gone:
            return []
        return [each for each in list(owner.planned.values()) + owner.scheduled() if each.fire_date <= self.now]

    def is_missed(self, reminder, owner):
        """Steps are never missed, and make nothing else missed."""
        age = self.now - reminder.fire_date
        if reminder.kind == "step" or age <= GRACE:
            return False
        if age > MAX_AGE or self.policy == "skip":
            return True
        return self.policy == "once" and any(
            each.kind != "step" and reminder.fire_date < each.fire_date < self.now - GRACE for each in self.due(owner))

    def claim(self, reminder, owner):
        is_missed = self.is_missed(reminder, owner)
        if reminder.kind == "planned":
            del owner.planned[reminder.time, reminder.lead]
            owner.over.add((reminder.time, reminder.lead))
        if reminder.kind == "step":
            self.claim_step(reminder, owner)
        elif is_missed:
            reminder.state = "missed"
        else:
            self.ring(reminder, owner)

    def ring(self, reminder, owner):
        reminder.state = "fired"
        owner.ringings[reminder.time, reminder.lead] = owner.latest[reminder.lead] = reminder
        ladder = owner.ladder()
        recipients = self.recipients(ladder.step(1).to if ladder else self.config.routed(owner.list_name))
        if ladder:
            owner.begin_ladder(reminder, ladder, self.now, bool(recipients))
        self.outbox.add(reminder, recipients)

    def claim_step(self, reminder, owner):
        names = owner.claim_step(reminder, self.now)
        if names is None:
            return
        ladder, recipients = owner.ladder(), self.recipients(names)
        reminder.note = f" since {reminder.ladder.start} of {len(ladder.steps)} {ladder.name}"
        owner.follow(reminder, ladder, self.now, bool(recipients))
        self.outbox.add(reminder, recipients)

    def recipients(self, names):
        return self.config.recipients(names, self.now, self.zone)

    def hand_over(self, reminder):
        """Nothing of a ringing or step has arrived: the next step comes at once."""
        if reminder.ladder:
            reminder.owner.hasten(reminder.ladder, reminder.step[0] + 1, self.now)

    def rang(self, delivery):
        for reminder in delivery.reminders:
            person, address = delivery.person or "-", delivery.address or "-"
            self.lines.append(f"{self.now} {reminder} > {delivery.sink} {person} {address}")
            self.unnoted.append(reminder)

    def note_rings(self):
        for reminder in sorted(set(self.unnoted), key=str):
            if all(known is not reminder for _, known in reminder.owner.rung):
                reminder.owner.rung.append((self.now, reminder))
        self.unnoted = []

    # What happens

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
        if self.running:
            self.restart()

    def do_off(self, event):
        self.running = False

    def do_sleep(self, event):
        self.running = False

    def do_wake(self, event):
        self.running = True
        self.tick()

    def do_on(self, event):
        self.running, self.policy = True, event["policy"]
        self.restart()

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
        is_redated = "due" in event and wall(event["due"]) != item.due
        if is_redated:
            item.due = item.start = wall(event["due"])
            item.last_checked = None
            item.cancel(item.scheduled())
        item.zone_name, item.list_name = event.get("zone", item.zone_name), event.get("list", item.list_name)
        item.category, item.remind = event.get("category", item.category), event.get("remind", item.remind)
        if "alerts" in event:
            item.alerts = tuple(event["alerts"]) or ("PT0S",)
        item.plan()

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

    def do_uncheck(self, event):
        item = self.item(event)
        if not item.checked and not item.last_checked:
            return
        item.checked = item.checked_at = None
        if item.last_checked:
            item.due, item.start = item.last_checked
            item.last_checked = None
        item.plan()

    def do_delete(self, event):
        item = self.item(event)
        self.delete(item)
        self.outbox.discard_ended(item)

    def delete(self, item):
        item.is_gone = True
        item.plan()

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
        if event["pick"] >= len(done):
            return "nothing to take back"
        self.answers.take_back(done[::-1][event["pick"]])
        return "taken back"


def run(scenario):
    """The lines of a scenario."""
    world = World(scenario)
    for number, event in enumerate(scenario["events"]):
        world.advance(event["at"])
        world.perform(number, event)
    world.advance(scenario["end"])
    return world.lines


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(run(json.load(file))))
