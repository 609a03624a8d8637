"""The clock and the daemon: what is claimed when, and whom it goes to, as states.md and answers.md define it."""

import heapq
from datetime import datetime, timedelta, timezone

from escalation_answers import Answers
from escalation_outbox import Outbox
from times import DAY, MINUTE, minute

GRACE, MAX_AGE = 600, 7 * DAY


class World:
    def __init__(self, scenario):
        self.machine_zone = self.zone = scenario["zone"]
        end = datetime.fromtimestamp(scenario["end"], timezone.utc).replace(tzinfo=None)
        self.horizon = end + timedelta(days=60)
        self.now = self.last_tick = scenario["start"]
        self.is_on, self.is_asleep, self.policy, self.config = False, False, "once", None
        self.items, self.lists = [], {}
        self.outbox, self.answers = Outbox(self, scenario["faults"]), Answers(self)
        self.heap, self.lines, self.unnoted = [], [], []
        self.look_at = None  # the minute after an event, in which the daemon ticks even if nothing is scheduled

    @property
    def is_running(self):
        return self.is_on and not self.is_asleep

    # The clock

    def wake(self, owner, instant):
        heapq.heappush(self.heap, (instant, owner.name, id(owner), owner))

    def advance(self, to):
        """Lets the daemon tick at each instant up to this one at which something is to happen."""
        while self.is_running:
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

    def items_changed(self, item):
        """A list's own reminder is planned anew with each change of its items."""
        own = self.lists.get(item.list_name)
        if own:
            own.plan()

    # The daemon

    def owners(self):
        return [owner for owner in self.items + list(self.lists.values()) if not owner.is_gone]

    def tick(self):
        """Goes on until nothing is due any more."""
        if not self.is_running:
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
        if self.is_running:
            # What an answer that is taken back makes pending again may be for a sink that is off meanwhile.
            self.outbox.close_without_sink()
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

    def is_left_out(self, reminder, others):
        """What comes after the next of a repeat and its lead, and is not to ring any more, is left out: it has never
        been on the schedule, so it is neither rung nor missed, and rings if it is planned anew before its time."""
        age = self.now - reminder.fire_date
        if age <= GRACE:
            return False
        if self.policy == "once":
            return any(reminder.fire_date < each.fire_date < self.now - GRACE for each in others)
        return self.policy == "skip" or age > MAX_AGE

    def claim(self, reminder, owner):
        is_missed = self.is_missed(reminder, owner)
        if reminder.kind == "planned":
            del owner.planned[reminder.time, reminder.lead]
            if is_missed and not reminder.is_next:
                return
            owner.over.add((reminder.time, reminder.lead))
            others = owner.of_lead(reminder.lead, after=reminder.fire_date)
            owner.mark_next([each for each in others if not self.is_left_out(each, others)])
        if reminder.kind == "step":
            self.claim_step(reminder, owner)
        elif is_missed:
            reminder.state = "missed"
        else:
            self.ring(reminder, owner)

    def ring(self, reminder, owner):
        reminder.state = "fired"
        owner.ringings[reminder.time, reminder.lead] = owner.latest[reminder.lead] = reminder
        escalation = owner.escalation()
        recipients = self.recipients(escalation.step(1).to if escalation else self.config.routed(owner.list_name))
        if escalation:
            owner.begin_escalation(reminder, escalation, self.now, bool(recipients))
        self.outbox.add(reminder, recipients)

    def claim_step(self, reminder, owner):
        names = owner.claim_step(reminder, self.now)
        if names is None:
            return
        escalation, recipients = owner.escalation(), self.recipients(names)
        reminder.note = f" since {reminder.run.start} of {len(escalation.steps)} {escalation.name}"
        owner.follow(reminder, escalation, self.now, bool(recipients))
        self.outbox.add(reminder, recipients)

    def recipients(self, names):
        return self.config.recipients(names, self.now, self.zone)

    def hand_over(self, reminder):
        """Nothing of a ringing or step has arrived: the next step comes at once."""
        if reminder.run:
            reminder.owner.hasten(reminder.run, reminder.step[0] + 1, self.now)

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
